namespace Mux.Wire;

/// <summary>Why an initiator gave a call up (CANCEL, PROTOCOL.md section 3). Values not listed mean the same as <see cref="Unspecified"/>.</summary>
internal enum CancelReason : byte
{
    Unspecified = 0,
    Deadline = 1,
    Superseded = 2,
}
