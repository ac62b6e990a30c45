using Mux.Engine;
using Mux.Protocol;
using Mux.Runtime;
using Mux.TestSupport.Connections;

namespace Mux.Core.Tests.Connections;

[Collection(nameof(ProcessWideCounters))]
public sealed class KeptRequestTests
{
    private const int Limit = 100_000;

    private readonly long _buffersBefore = BufferPool.Outstanding;
    private readonly KeptBytes _account = new(Limit);

    [Fact]
    public void A_request_is_kept_as_it_was_and_its_memory_is_returned_once() => Seeds.ForEach(100, seed =>
    {
        var random = new Random(seed);
        var sut = new KeptRequest();
        for (int use = 0; use < 5; use++)
        {
            byte[] body = new byte[random.Next(2) == 0 ? random.Next(KeptRequest.MaxInline + 1) : random.Next(20_000)];
            random.NextBytes(body);

            sut.Keep(KeepFor.Repeats, body, _account);

            Assert.Equal(body, sut.Body);
            Assert.Null(sut.ShareBulk());
            Assert.Equal(body.Length > KeptRequest.MaxInline ? body.Length : 0, _account.Used);
            sut.Release();
            sut.Release();
            Assert.Equal(0, _account.Used);
        }

        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    });

    [Fact]
    public void A_large_request_shares_the_array_from_which_it_is_sent_until_the_last_of_them_is_done()
    {
        var sent = BulkMessage.Copy(new byte[100_000]);
        var sut = new KeptRequest();

        sut.Keep(KeepFor.Repeats, sent, _account);
        var again = sut.ShareBulk()!;
        sent.LetGo();
        Assert.Equal((100_000, 100_000), (again.Left, _account.Used));
        Assert.Equal(0, sut.Body.Length);
        sut.Release();
        Assert.Equal(_buffersBefore + 1, BufferPool.Outstanding);

        again.LetGo();
        Assert.Equal(_buffersBefore, BufferPool.Outstanding);
    }

    [Fact]
    public void Beyond_the_limit_of_the_channel_a_request_is_not_kept_unless_it_is_small()
    {
        Assert.True(_account.TryTake(Limit - 5_000));
        var (large, small) = (new KeptRequest(), new KeptRequest());

        large.Keep(KeepFor.Repeats, new byte[5_001], _account);
        small.Keep(KeepFor.Repeats, new byte[1_000], _account);

        Assert.Equal((KeepFor.Nothing, KeepFor.Repeats), (large.Reasons, small.Reasons));
        Assert.Equal(Limit - 5_000, _account.Used);
        large.Release();
        Assert.Equal(Limit - 5_000, _account.Used);
    }

    [Fact]
    public void Attempts_are_those_of_one_call()
    {
        var sut = new KeptRequest();
        sut.Keep(KeepFor.Repeats, [1], _account);
        sut.Add(new MuxAttempt("mux://a:1", MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch));
        sut.Refusals = 1;
        sut.OnRepeat(new(MuxStatus.Unavailable, MuxExecution.NotExecuted, MuxCallPhase.Dispatch, "It drains."), "a", isRefused: true);
        sut.Avoided = "mux://a:1";
        var attempts = sut.Attempts;
        sut.Release();

        sut.Keep(KeepFor.Repeats, [2], _account);

        Assert.Single(attempts);
        Assert.Empty(sut.Attempts);
        Assert.Equal((0, 0, null), (sut.Refusals, sut.Repeats, sut.Avoided));
    }
}
