namespace Mux.Tests.Reflection;

internal sealed class Counted : ICounted
{
    public ValueTask Ask() => default;
}
