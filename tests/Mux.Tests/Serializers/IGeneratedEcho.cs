using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

[MuxService(SerializerSuite.Service), MuxError<GeneratedSpecimen>(1)]
public interface IGeneratedEcho
{
    ValueTask<GeneratedSpecimen> Echo(GeneratedSpecimen message);

    IAsyncEnumerable<GeneratedSpecimen> EchoAll(IAsyncEnumerable<GeneratedSpecimen> messages, CancellationToken cancellationToken = default);

    ValueTask Refuse(GeneratedSpecimen message);
}
