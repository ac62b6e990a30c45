namespace Mux.Connections;

/// <summary>Why a call failed, as far as the engine knows it; the typed call makes the exception of it.</summary>
/// <param name="Status">How it ended.</param>
/// <param name="Execution">Whether the handler ran.</param>
/// <param name="Phase">How far the call had come.</param>
/// <param name="Text">What happened, for people.</param>
/// <param name="Error">The error behind it, if there is one.</param>
/// <param name="IsCallerCancel">The caller's own token ended the call.</param>
internal readonly record struct CallFailure(
    MuxStatus Status,
    MuxExecution Execution,
    MuxPhase Phase,
    string Text,
    Exception? Error = null,
    bool IsCallerCancel = false);
