using System.Collections.Concurrent;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Sends requests one after the other, without waiting for answers, and hands out the answers in the same order.</summary>
/// <param name="queue">The requests.</param>
/// <param name="timeout">Most time that an answer takes.</param>
/// <param name="onFailed">Told of an error, and in which life of the connection.</param>
internal sealed class RequestPump(RequestQueue queue, TimeSpan timeout, Action<Exception, int> onFailed) : IDisposable
{
    private readonly ConcurrentQueue<(RedisRequest Request, Task<RedisResult> Answer)> _sent = new(); // bounded by the queue, which counts until the answer
    private readonly SemaphoreSlim _news = new(0);

    /// <param name="connector">Has the connection, from when requests are sent.</param>
    /// <param name="life">Gets the present life of the connection.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public Task RunAsync(Connector connector, Func<int> life, CancellationToken cancellationToken) =>
        Task.WhenAll(SendAsync(connector, life, cancellationToken), AnswerAsync(cancellationToken));

    /// <summary>To be called when it has ended.</summary>
    public void Dispose() => _news.Dispose();

    private async Task SendAsync(Connector connector, Func<int> life, CancellationToken cancellationToken)
    {
        await connector.ConnectedAsync(cancellationToken).ConfigureAwait(false); // what was asked for before waits
        while (true)
        {
            await queue.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (!queue.TryTake(out var request)) continue;
            if (request.Life == life())
            {
                _sent.Enqueue((request, Send(connector, request)));
                _news.Release();
            }
            else
            {
                Lose(request);
            }
        }
    }

    private static async Task<RedisResult> Send(Connector connector, RedisRequest request) => await request.SendAsync(connector.Database).ConfigureAwait(false);

    private async Task AnswerAsync(CancellationToken cancellationToken)
    {
        while (true)
        {
            await _news.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (!_sent.TryDequeue(out var next)) continue;
            try
            {
                var answer = await next.Answer.WaitAsync(timeout, cancellationToken).ConfigureAwait(false);
                next.Request.OnAnswer(answer);
                queue.OnDone(next.Request);
            }
            catch (RedisServerException error) when (next.Request.IsMessage && RedisRefusal.IsOfRequest(error))
            {
                queue.OnDone(next.Request);
                next.Request.OnRefused(error.Message);
            }
            catch (Exception error) when (!cancellationToken.IsCancellationRequested)
            {
                Lose(next.Request);
                onFailed(error, next.Request.Life);
            }
        }
    }

    private void Lose(RedisRequest request)
    {
        queue.OnDone(request);
        request.OnLost();
    }
}
