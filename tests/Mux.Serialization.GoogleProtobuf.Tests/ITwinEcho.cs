using Mux.TestSupport.Serializers;

namespace Mux.Serialization.GoogleProtobuf.Tests;

/// <summary>The contract as a side declares it that does not use the library.</summary>
[MuxService(SerializerSuite.Service)]
public interface ITwinEcho
{
    ValueTask<Twin> Echo(Twin message);
}
