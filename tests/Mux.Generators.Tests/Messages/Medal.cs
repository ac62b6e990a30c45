namespace Mux.Generators.Tests.Messages;

[Flags]
public enum Medal
{
    None = 0,
    Gold = 1,
    Silver = 2,
}
