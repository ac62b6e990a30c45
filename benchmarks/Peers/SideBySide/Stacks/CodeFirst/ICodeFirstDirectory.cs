using ProtoBuf.Grpc.Configuration;
using SideBySide.Contracts;

namespace SideBySide.Stacks.CodeFirst;

[Service("peers.CodeFirstDirectory")]
public interface ICodeFirstDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query);

    ValueTask<Payload> EchoAsync(Payload payload);

    IAsyncEnumerable<Employee> ReadAsync(ReadEmployees range);
}
