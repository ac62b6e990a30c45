using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>What a client of <c>mux serve</c> may know about it.</summary>
[MuxService("mux.bench.Stats")]
internal interface IServerStats
{
    /// <summary>What the server runs on, which does not change.</summary>
    ValueTask<ProcessEnvironment> DescribeAsync();

    /// <summary>What its handlers do beside their work, which does not change.</summary>
    ValueTask<HandlerProfile> GetHandlersAsync();

    /// <summary>What it has used and done so far.</summary>
    ValueTask<ServerReport> ReadAsync();
}
