# find_package(cccp): the library as cccp::cccp, and cccp_target(), which has targets compiled and linked by cccp-cc.
#
#     cccp_target(solver mesh)           marked programs, and libraries of theirs
#     cccp_target(solver AUTO EVERY 100) a program without marks
set(cccp_VERSION "@VERSION@")
get_filename_component(cccp_PREFIX "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

foreach(name cccp cccp_mpi)
    if(NOT TARGET cccp::${name} AND EXISTS "${cccp_PREFIX}/lib/lib${name}.so.0")
        add_library(cccp::${name} SHARED IMPORTED)
        set_target_properties(cccp::${name} PROPERTIES
            IMPORTED_LOCATION "${cccp_PREFIX}/lib/lib${name}.so.0"
            IMPORTED_SONAME "lib${name}.so.0"
            INTERFACE_INCLUDE_DIRECTORIES "${cccp_PREFIX}/include")
    endif()
endforeach()

function(cccp_target)
    cmake_parse_arguments(PARSE_ARGV 0 of "AUTO" "EVERY;EXPLAIN" "")
    if(CMAKE_VERSION VERSION_LESS 3.21)
        message(FATAL_ERROR "cccp_target needs CMake 3.21; -DCMAKE_C_COMPILER=cccp-cc serves older ones")
    endif()
    set(launcher "${cccp_PREFIX}/bin/cccp-cc")
    if(of_AUTO)
        list(APPEND launcher --cccp-auto)
    endif()
    if(of_EVERY)
        list(APPEND launcher --cccp-every=${of_EVERY})
    endif()
    if(of_EXPLAIN)
        list(APPEND launcher --cccp-explain=${of_EXPLAIN})
    endif()
    foreach(target IN LISTS of_UNPARSED_ARGUMENTS)
        set_target_properties(${target} PROPERTIES
            C_COMPILER_LAUNCHER "${launcher}" C_LINKER_LAUNCHER "${launcher}")
    endforeach()
endfunction()
