namespace Mux.Core.Tests.Simulation;

/// <summary>Which calls really ran, by nonce.</summary>
internal sealed class History
{
    private readonly Dictionary<long, int> _executions = [];

    public void OnExecuted(long nonce) => _executions[nonce] = ExecutionsOf(nonce) + 1;

    public int ExecutionsOf(long nonce) => _executions.GetValueOrDefault(nonce);
}
