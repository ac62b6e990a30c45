using Mux.Tool.Workloads;

namespace Mux.Tool.Serving;

/// <summary>Information about <c>mux serve</c> for its clients.</summary>
[MuxService("mux.bench.Stats")]
internal interface IServerStats
{
    /// <summary>Gets the server's environment, which does not change.</summary>
    ValueTask<ProcessEnvironment> DescribeAsync();

    /// <summary>Gets the profile of its handlers, which does not change.</summary>
    ValueTask<HandlerProfile> GetHandlersAsync();

    /// <summary>Gets its usage and counts so far.</summary>
    ValueTask<ServerReport> ReadAsync();
}
