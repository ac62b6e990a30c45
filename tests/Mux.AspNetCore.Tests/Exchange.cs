using Mux.Tests.Contracts;

namespace Mux.AspNetCore.Tests;

/// <summary>Calls of every kind, which a link has to carry whatever it is made of.</summary>
internal static class Exchange
{
    public static async Task RunAsync(IMixed client)
    {
        var token = TestContext.Current.CancellationToken;
        await Task.WhenAll(Enumerable.Range(1, 200).Select(async id => Assert.Equal(id, (await client.Ask(new() { Id = id }, cancellationToken: token)).Id)));
        var bytes = new byte[1_000_000];
        Random.Shared.NextBytes(bytes);
        Assert.Equal(bytes, (await client.Ask(new() { Id = 1, Bytes = bytes }, cancellationToken: token)).Bytes);
        Assert.Equal(Enumerable.Range(1, 500), await IdsAsync(client.List(new() { Id = 500 }, token)));
        Assert.Equal(5 + 55, (await client.Sum(new() { Id = 5 }, Questions(10), token)).Id);
        Assert.Equal([2, 4, 6], await IdsAsync(client.Talk(new(), Questions(3), token)));
    }

    private static async IAsyncEnumerable<Question> Questions(int count)
    {
        for (int id = 1; id <= count; id++)
        {
            await Task.Yield();
            yield return new() { Id = id };
        }
    }

    private static async Task<List<int>> IdsAsync(IAsyncEnumerable<Answer> answers)
    {
        var ids = new List<int>();
        await foreach (var answer in answers) ids.Add(answer.Id);
        return ids;
    }
}
