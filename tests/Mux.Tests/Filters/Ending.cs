using Mux.Filters;

namespace Mux.Tests.Filters;

/// <summary>How a call ended, as a filter saw it.</summary>
internal sealed record Ending(string Method, MuxCallSide Side, MuxStatus? Status, long Sent, long Received, Exception? Error);
