using System.Runtime.Serialization;
using Mux;

namespace Greet;

[MuxService("greet.Greeter")]
public interface IGreeter
{
    ValueTask<HelloReply> SayHello(HelloRequest request, CancellationToken cancellationToken = default);
    IAsyncEnumerable<HelloReply> SayHellos(HelloRequest request, CancellationToken cancellationToken = default);
}

[DataContract]
public sealed class HelloRequest
{
    [DataMember(Order = 1)] public string? Name { get; set; }
}

[DataContract]
public sealed class HelloReply
{
    [DataMember(Order = 1)] public string? Message { get; set; }
}
