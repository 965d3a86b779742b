typedef int length;
