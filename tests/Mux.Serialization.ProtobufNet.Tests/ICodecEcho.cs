using Mux.TestSupport.Serializers;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>The contract with the same message, by the codec of Mux.</summary>
[MuxService(SerializerSuite.Service)]
public interface ICodecEcho
{
    ValueTask<NetSpecimen> Echo(NetSpecimen message);
}
