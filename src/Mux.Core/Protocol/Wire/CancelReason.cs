namespace Mux.Protocol;

/// <summary>Reasons of an initiator for cancelling a call (CANCEL, PROTOCOL.md section 3). Values not listed mean <see cref="Unspecified"/>.</summary>
internal enum CancelReason : byte
{
    Unspecified = 0,
    Deadline = 1,
    Superseded = 2,
}
