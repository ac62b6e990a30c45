using PolyType;
using SideBySide.Contracts;
using StreamJsonRpc;

namespace SideBySide.Stacks.Rpc;

[JsonRpcContract, GenerateShape(IncludeMethods = MethodShapeFlags.PublicInstance)]
public partial interface IRpcDirectory
{
    Task<Employee> SearchAsync(SearchEmployee query);

    Task<byte[]> EchoAsync(byte[] content);

    IAsyncEnumerable<Employee> ReadAsync(long first, int count, CancellationToken cancellationToken);
}
