namespace Mux.Generators.Tests.Messages;

public enum Grade : short
{
    None = 0,
    Good = 1,
    Lowest = short.MinValue,
    Highest = short.MaxValue,
}
