/* Parameters and locals with the names of their own types, which have no other name. */
#include <stdio.h>
#include <stdlib.h>

typedef struct { int n; double *weight; } network;
typedef struct { network *of; double rate; long steps; } training;
typedef enum { FORWARD = 3, BACKWARD = -2 } direction;
typedef union { double number; unsigned char bytes[8]; } word;
typedef network *net;

/* Every function has been declared before: a second name has no place behind these. */
double norm(const network *);
static network *make(int n);
static training prepared(network network, double rate);
static double train(network *network, training *training, direction direction, net net);

static network *make(int n)
{
    network *network = malloc(sizeof *network);
    network->n = n;
    network->weight = malloc(n * sizeof(double));
    for (int i = 0; i < n; i++)
        network->weight[i] = i;
    return network;
}

static training prepared(network network, double rate)
{
    training result = { 0, rate, network.n };
    return result;
}

static double train(network* network, training *training, direction direction, net net)
{
    word word = { .number = 0 };
    for (int step = 0; step < 40; step++) {
        for (int i = 0; i < network->n; i++)
            network->weight[i] += training->rate * direction * (step + i % 3);
        training->steps += net->n;
        training->rate *= 0.99;
        word.number += network->weight[step % network->n];
    }
    return word.number;
}

int main(void)
{
    double sum = 0;
    network *one = make(20), *two = make(30);
    training training = prepared(*one, 0.5);
    training.of = one;
    for (int epoch = 0; epoch < 8; epoch++) {
        sum += train(one, &training, epoch % 2 ? FORWARD : BACKWARD, two);
        sum += train(two, &training, FORWARD, training.of);
        printf("%d %.17g %.17g %ld\n", epoch, sum, norm(two), training.steps);
    }
    return 0;
}
