namespace Mux.TestSupport.Transports;

/// <returns>How many bytes were consumed.</returns>
public delegate int ConsumeBytes(ReadOnlySpan<byte> bytes);
