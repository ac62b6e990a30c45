using Mux.Callbacks;
using Mux.Contracts;
using Mux.Core.Tests.Topics.Sharing;

namespace Mux.Core.Tests.Callbacks;

/// <summary>One call with callbacks, and what each of its steps must do.</summary>
internal sealed class CallbackSessionModel(CallbackSession sut, AnswerSource answers, Random random)
{
    public const int Most = 64;

    private const int PlaceBits = 6;

    private static readonly BytesCodec s_bytes = new();
    private static readonly CallbackMethod<byte[], byte[]> s_ask = new("Ask", s_bytes, s_bytes, static (_, body, _) => new(body));
    private static readonly CallbackMethod<byte[], MuxUnit> s_tell = new("Tell", s_bytes, new EmptyCodec("test"), static (_, _, _) => default) { IsOneWay = true };

    private readonly CallbackCaller _caller = new(sut, 0, "ITest");
    private readonly Queue<(AskedCallback? Asked, bool IsCancel, int Number)> _outbox = [];
    private readonly AskedCallback?[] _places = new AskedCallback?[Most];
    private int _number;

    public List<AskedCallback> All { get; } = [];

    /// <summary>Callbacks without an answer. A callback that was cancelled needs one, too.</summary>
    public IEnumerable<AskedCallback> Unanswered => _places.OfType<AskedCallback>();

    public async Task StepAsync()
    {
        var sent = Unanswered.Where(static asked => asked.IsSent).ToList();
        var waiting = All.FindAll(static asked => !asked.Task.IsCompleted);
        switch (random.Next(12))
        {
            case < 4:
                Ask();
                break;
            case 4 when _outbox.Count < Most: // else it waits
                Assert.True(_caller.CallWithoutResultAsync(s_tell, Body(++_number), CancellationToken.None).AsTask().IsCompletedSuccessfully);
                _outbox.Enqueue((null, false, _number));
                break;
            case < 8:
                Take();
                break;
            case 8 when waiting.Count > 0:
                var cancelled = waiting[random.Next(waiting.Count)];
                await cancelled.Cancellation.CancelAsync();
                cancelled.Decide(() => Assert.True(cancelled.Task.IsCanceled));
                _outbox.Enqueue((cancelled, true, 0));
                break;
            case > 8 when sent.Count > 0:
                await AnswerAsync(sent[random.Next(sent.Count)]);
                break;
        }
    }

    /// <summary>Makes a callback that must fail.</summary>
    public Task<byte[]> AskTooLate() => _caller.CallAsync(s_ask, Body(0), CancellationToken.None).AsTask();

    public static MuxStatus FailureOf(Task task) => Assert.IsType<MuxException>(Assert.Single(task.Exception!.InnerExceptions)).Status;

    private static byte[] Body(int number) => BitConverter.GetBytes(number);

    private void Ask()
    {
        var cancellation = new CancellationTokenSource();
        var task = _caller.CallAsync(s_ask, Body(++_number), cancellation.Token).AsTask();
        int place = Array.IndexOf(_places, null);
        if (place < 0)
        {
            Assert.Equal(MuxStatus.ResourceExhausted, FailureOf(task));
            cancellation.Dispose();
            return;
        }

        Assert.False(task.IsCompleted);
        var asked = new AskedCallback(((ulong)(All.Count + 1) << PlaceBits) | (uint)place, _number, task, cancellation);
        _places[place] = asked;
        All.Add(asked);
        _outbox.Enqueue((asked, false, _number));
    }

    private void Take()
    {
        Assert.Equal(_outbox.TryDequeue(out var expected), sut.TryTakeMessage(out var message));
        if (message is null) return;
        Assert.Equal((expected.Asked?.Id ?? 0, expected.IsCancel), (message.Id, message.IsCancel));
        if (expected.IsCancel) return;
        Assert.Equal(Body(expected.Number), message.Body.ToArray());
        if (expected.Asked is { } asked) asked.IsSent = true;
    }

    private async Task AnswerAsync(AskedCallback asked)
    {
        bool succeeds = random.Next(3) > 0;
        var body = Body(-asked.Number);
        await answers.GiveAsync(new CallbackAnswer { Id = asked.Id, Status = succeeds ? MuxStatus.Ok : MuxStatus.NotFound, Body = succeeds ? body : default });
        _places[Array.IndexOf(_places, asked)] = null;
        if (asked.IsDecided) asked.CheckAgain(); // it was cancelled
        else if (succeeds) asked.Decide(() => Assert.Equal(body, asked.Task.Result));
        else asked.Decide(() => Assert.Equal(MuxStatus.NotFound, FailureOf(asked.Task)));
    }
}
