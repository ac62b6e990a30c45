namespace Mux.Tool.Pinging;

/// <summary>Pings each endpoint of an address by itself, all at the same time.</summary>
internal static class PingSession
{
    /// <param name="plan">What to do.</param>
    /// <param name="report">Called with each outcome, one at a time.</param>
    /// <param name="interrupted">Ends it, with the figures so far.</param>
    /// <exception cref="ToolException">The address has no endpoints.</exception>
    public static async Task<PingOutcome> RunAsync(PingPlan plan, Action<PingReply> report, CancellationToken interrupted)
    {
        var endpoints = new List<PingedEndpoint>();
        try
        {
            foreach (var address in await plan.Target.FindEndpointsAsync(plan.Links, interrupted).ConfigureAwait(false))
            {
                endpoints.Add(new PingedEndpoint(address, plan));
            }

            var gate = new Lock(); // what reports print does not mix
            await Task.WhenAll(endpoints.Select(endpoint => endpoint.RunAsync(
                reply =>
                {
                    lock (gate) report(reply);
                },
                interrupted))).ConfigureAwait(false);
            return new PingOutcome(plan.Target, endpoints);
        }
        finally
        {
            foreach (var endpoint in endpoints) await endpoint.DisposeAsync().ConfigureAwait(false);
        }
    }
}
