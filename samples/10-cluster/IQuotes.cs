using Mux;

namespace Cluster;

[MuxService("cluster.Quotes")]
public interface IQuotes
{
    ValueTask<Quote> Find(string symbol);
}
