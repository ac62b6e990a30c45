namespace Mux.Tool.Workloads;

/// <param name="work">What its handlers do; null for nothing.</param>
internal sealed class EmptyService(HandlerWork? work = null) : IEmpty
{
    public ValueTask CallAsync(CancellationToken cancellationToken = default) => work?.DoAsync(number: 0) ?? default;
}
