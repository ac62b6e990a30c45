namespace Mux.Discovery.ServiceDiscovery.Tests;

/// <summary>A random number that the test has chosen.</summary>
internal sealed class ChosenRandom(double value) : Random
{
    public override double NextDouble() => value;
}
