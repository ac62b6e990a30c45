namespace Mux.Tests.Reflection;

internal sealed class Undescribed : IUndescribed
{
    public ValueTask Ask() => default;
}
