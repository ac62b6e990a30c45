using Mux;

namespace Shop;

public static class Batches
{
    public static async Task<int> SumAsync(IStock stock, IReadOnlyList<string> articles)
    {
        var counts = new Task<int>[articles.Count];
        using (MuxBatch.Begin()) // what this thread calls until the end of the block leaves in one send
        {
            for (int i = 0; i < counts.Length; i++) counts[i] = stock.CountAsync(articles[i]).AsTask();
        }

        return (await Task.WhenAll(counts)).Sum();
    }
}
