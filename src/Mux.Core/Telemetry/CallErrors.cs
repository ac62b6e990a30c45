using System.Diagnostics;

namespace Mux.Telemetry;

/// <summary>
/// Decides which statuses are errors in telemetry, as the conventions do for gRPC, whose statuses are the same: only such a call has <c>error.type</c>, and a
/// span with the status Error.
/// </summary>
internal static class CallErrors
{
    /// <param name="side">The side that tells: its caller, or its server.</param>
    /// <param name="status">Status of the call.</param>
    /// <returns>
    /// At the caller, true for all but Ok. At a server, true only for those that say that the server failed: NotFound, for example, is a correct answer. A
    /// number that is no status counts as Unknown.
    /// </returns>
    public static bool IsError(ActivityKind side, MuxStatus status)
    {
        if (side != ActivityKind.Server) return status != MuxStatus.Ok;
        return status is MuxStatus.Unknown or MuxStatus.DeadlineExceeded or MuxStatus.Unimplemented or MuxStatus.Internal or MuxStatus.Unavailable
            or MuxStatus.DataLoss or < MuxStatus.Ok or > MuxStatus.Unauthenticated;
    }
}
