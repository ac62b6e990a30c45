namespace Mux.TestSupport.Serializers;

/// <summary>A server that answers with bytes of its own choice.</summary>
public sealed class RawEcho : EchoService<byte[]>, IRawEcho;
