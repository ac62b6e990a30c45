using System.Collections.Concurrent;
using StackExchange.Redis;

namespace Mux.Redis;

/// <summary>Sends requests one after the other, without waiting for answers, and hands out the answers in the same order.</summary>
/// <remarks>
/// If Redis does not have the script of a request, nothing further is sent until all that was sent is answered: those behind it may have failed for the same
/// reason. What has failed is then sent again with the script, in the order of before, unless a later one was served: it would come behind that.
/// </remarks>
/// <param name="queue">The requests.</param>
/// <param name="timeout">Most time that an answer takes.</param>
/// <param name="onFailed">Told of an error, and in which life of the connection.</param>
/// <param name="onSilent">Told that an answer takes long, before it takes too long.</param>
/// <param name="onAnswered">Told that answers come again.</param>
internal sealed class RequestPump(
    RequestQueue queue, TimeSpan timeout, Action<Exception, int> onFailed, Action onSilent, Action onAnswered) : IDisposable
{
    private readonly TimeSpan _patience = RedisBackplane.PatienceOf(timeout);
    private bool _isSilent; // of the task that awaits answers

    private const string CameTooLate = "Redis did not have its script when it came, and has served a later message since.";

    private readonly ConcurrentQueue<Sent> _sent = new(); // bounded by the queue, which counts until the answer
    private readonly SemaphoreSlim _news = new(0);
    private readonly SemaphoreSlim _sending = new(1); // held while a request is sent, or while none may be

    /// <param name="connector">Has the connection, from when requests are sent.</param>
    /// <param name="life">Gets the present life of the connection.</param>
    /// <param name="cancellationToken">Ends it.</param>
    public async Task RunAsync(Connector connector, Func<int> life, CancellationToken cancellationToken)
    {
        try
        {
            await Task.WhenAll(SendAsync(connector, life, cancellationToken), AnswerAsync(connector, cancellationToken)).ConfigureAwait(false);
        }
        finally
        {
            foreach (var sent in _sent) Abandoned.Observe(sent.Answer);
        }
    }

    /// <summary>To be called when it has ended.</summary>
    public void Dispose()
    {
        _news.Dispose();
        _sending.Dispose();
    }

    private async Task SendAsync(Connector connector, Func<int> life, CancellationToken cancellationToken)
    {
        await connector.ConnectedAsync(cancellationToken).ConfigureAwait(false); // what was asked for before waits
        while (true)
        {
            await queue.WaitAsync(cancellationToken).ConfigureAwait(false);
            await _sending.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                if (!queue.TryTake(out var request)) continue;
                if (request.Life == life()) Send(request, SendAsync(connector, request, isWhole: false));
                else Lose(request);
            }
            finally
            {
                _sending.Release();
            }
        }
    }

    private void Send(RedisRequest request, Task<RedisResult> answer)
    {
        _sent.Enqueue(new Sent(request, answer));
        _news.Release();
    }

    private static async Task<RedisResult> SendAsync(Connector connector, RedisRequest request, bool isWhole) =>
        await (isWhole ? request.SendWholeAsync(connector.Database) : request.SendAsync(connector.Database)).ConfigureAwait(false);

    private async Task AnswerAsync(Connector connector, CancellationToken cancellationToken)
    {
        while (true)
        {
            await _news.WaitAsync(cancellationToken).ConfigureAwait(false);
            if (!_sent.TryDequeue(out var next) || await TryAnswerAsync(next, cancellationToken).ConfigureAwait(false) != Outcome.LacksScript) continue;
            await _sending.WaitAsync(cancellationToken).ConfigureAwait(false);
            try
            {
                foreach (var request in await DrainAsync(next.Request, cancellationToken).ConfigureAwait(false))
                    Send(request, SendAsync(connector, request, isWhole: true));
            }
            finally
            {
                _sending.Release();
            }
        }
    }

    /// <summary>Waits for the answers to all that was sent.</summary>
    /// <returns>What is to be sent again, in order.</returns>
    private async Task<List<RedisRequest>> DrainAsync(RedisRequest first, CancellationToken cancellationToken)
    {
        List<RedisRequest> again = [first];
        while (_sent.TryDequeue(out var next))
        {
            switch (await TryAnswerAsync(next, cancellationToken).ConfigureAwait(false))
            {
                case Outcome.LacksScript:
                    again.Add(next.Request);
                    break;
                case Outcome.Served when next.Request.HasScript:
                    foreach (var late in again) Refuse(late, CameTooLate);
                    again.Clear();
                    break;
            }
        }

        return again;
    }

    private async Task<Outcome> TryAnswerAsync(Sent next, CancellationToken cancellationToken)
    {
        try
        {
            var answer = await AwaitAsync(next.Answer, cancellationToken).ConfigureAwait(false);
            next.Request.OnAnswer(answer);
            queue.OnDone(next.Request);
            return Outcome.Served;
        }
        catch (RedisServerException error) when (next.Request.HasScript && RedisRefusal.IsOfMissingScript(error))
        {
            return Outcome.LacksScript;
        }
        catch (RedisServerException error) when (next.Request.IsMessage && RedisRefusal.IsOfRequest(error))
        {
            Refuse(next.Request, error.Message);
        }
        catch (Exception error) when (!cancellationToken.IsCancellationRequested)
        {
            Lose(next.Request);
            onFailed(error, next.Request.Life);
        }

        return Outcome.Failed;
    }

    private async Task<RedisResult> AwaitAsync(Task<RedisResult> answer, CancellationToken cancellationToken)
    {
        await ((Task)answer).WaitAsync(_patience, cancellationToken).ConfigureAwait(ConfigureAwaitOptions.SuppressThrowing);
        if (!answer.IsCompleted && !cancellationToken.IsCancellationRequested)
        {
            _isSilent = true;
            onSilent();
        }

        try
        {
            return await answer.WaitAsync(timeout - _patience, cancellationToken).ConfigureAwait(false);
        }
        finally
        {
            if (!answer.IsCompleted)
            {
                Abandoned.Observe(answer);
            }
            else if (_isSilent)
            {
                _isSilent = false;
                onAnswered();
            }
        }
    }

    private void Refuse(RedisRequest request, string reason)
    {
        queue.OnDone(request);
        request.OnRefused(reason);
    }

    private void Lose(RedisRequest request)
    {
        queue.OnDone(request);
        request.OnLost();
    }

    private enum Outcome
    {
        Served,
        LacksScript,
        Failed,
    }

    private readonly record struct Sent(RedisRequest Request, Task<RedisResult> Answer);
}

/// <summary>Tasks whose results are not used anymore.</summary>
internal static class Abandoned
{
    /// <summary>Reads the exception of a task, if there is one: otherwise the process raises UnobservedTaskException.</summary>
    public static void Observe(Task task) => _ = task.ContinueWith(
        static one => _ = one.Exception,
        CancellationToken.None,
        TaskContinuationOptions.OnlyOnFaulted | TaskContinuationOptions.ExecuteSynchronously,
        TaskScheduler.Default);
}
