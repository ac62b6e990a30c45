using Mux.Protocol;

namespace Mux.ProtocolCases.Cases;

/// <summary>A frame that answers bad input on a connection that stays open.</summary>
internal sealed record Answer(FrameKind Kind, CallId Id, MuxStatus Status = MuxStatus.Ok, MuxExecution? Execution = null)
{
    public static Answer Fail(CallId id, MuxStatus status) => new(FrameKind.Fail, id, status, MuxExecution.NotExecuted);

    public static Answer Response(CallId id) => new(FrameKind.Response, id);
}
