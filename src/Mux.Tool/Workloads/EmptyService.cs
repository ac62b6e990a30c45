namespace Mux.Tool.Workloads;

internal sealed class EmptyService : IEmpty
{
    public ValueTask CallAsync() => default;
}
