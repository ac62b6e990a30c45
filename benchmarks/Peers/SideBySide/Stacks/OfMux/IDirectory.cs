using SideBySide.Contracts;

namespace SideBySide.Stacks.OfMux;

[MuxService("peers.Directory")]
public interface IDirectory
{
    ValueTask<Employee> SearchAsync(SearchEmployee query);

    ValueTask<byte[]> EchoAsync(byte[] content);

    IAsyncEnumerable<Employee> ReadAsync(long first, int count);
}
