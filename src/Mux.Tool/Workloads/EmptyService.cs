namespace Mux.Tool.Workloads;

/// <param name="work">Work of its handlers; null for none.</param>
internal sealed class EmptyService(HandlerWork? work = null) : IEmpty
{
    public ValueTask CallAsync(CancellationToken cancellationToken = default) => work?.DoAsync(number: 0) ?? default;
}
