using Mux.Tool.Serving;

namespace Mux.Tool.Pinging;

/// <summary>Result of <c>mux ping</c>.</summary>
/// <param name="Target">The address.</param>
/// <param name="Endpoints">Its endpoints.</param>
internal sealed record PingOutcome(TargetAddress Target, IReadOnlyList<PingedEndpoint> Endpoints)
{
    public int ExitCode
    {
        get
        {
            if (Endpoints.Any(endpoint => endpoint.Answered == 0)) return Tool.ExitCode.Unreachable;
            return Endpoints.Any(endpoint => endpoint.Answered < endpoint.Sent) ? Tool.ExitCode.Faulty : Tool.ExitCode.Success;
        }
    }
}
