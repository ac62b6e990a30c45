namespace Mux.Core.Tests.Discovery;

/// <summary>A random number that the test has chosen.</summary>
internal sealed class ChosenRandom(double value) : Random
{
    public override double NextDouble() => value;
}
