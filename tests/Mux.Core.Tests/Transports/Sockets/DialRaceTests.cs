using System.Net;
using System.Net.Sockets;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Time;
using Mux.TestSupport.Transports;

namespace Mux.Core.Tests.Transports.Sockets;

/// <summary>Which of several addresses is connected, and when each is tried.</summary>
public sealed class DialRaceTests : IDisposable
{
    private readonly ManualTime _time = new();
    private readonly CancellationTokenSource _dial = new();
    private readonly Dictionary<int, TaskCompletionSource<DialOutcome>> _attempts = [];
    private readonly Dictionary<int, CancellationToken> _tokens = [];

    public void Dispose() => _dial.Dispose();

    [Fact]
    public async Task An_address_that_does_not_answer_delays_the_next_by_its_head_start()
    {
        var (sut, race) = Begin(1, 2);
        Assert.Equal([1], _attempts.Keys);
        _time.Advance(DialRace.HeadStart - TimeSpan.FromMilliseconds(1));
        Assert.Equal([1], _attempts.Keys);
        await AdvanceToAsync(2);

        using var socket = new Socket(SocketType.Stream, ProtocolType.Tcp);
        _attempts[2].SetResult(new(socket));

        Assert.Same(socket, await race.Within("the end of the race"));
        Assert.True(_tokens[1].IsCancellationRequested);
        Assert.Empty(sut.Failures);
        Assert.Equal(0, _time.ArmedTimers);
    }

    [Fact]
    public async Task A_refused_address_is_followed_by_the_next_at_once()
    {
        var (sut, race) = Begin(1, 2);
        _attempts[1].SetResult(new(null, Refused()));
        _attempts[2].SetResult(new(null, Refused()));
        Assert.Null(await race.Within("the end of the race"));
        Assert.False(sut.IsUnanswered);
        Assert.Equal([1, 2], sut.Failures.Select(failure => ((IPEndPoint)failure.EndPoint).Port));
    }

    [Fact]
    public async Task An_older_attempt_that_fails_takes_nothing_of_the_head_start_of_a_newer_one()
    {
        var (_, race) = Begin(1, 2, 3);
        await AdvanceToAsync(2);
        _attempts[1].SetResult(new(null, Refused()));
        Assert.DoesNotContain(3, _attempts.Keys);
        await AdvanceToAsync(3);
        _attempts[2].SetResult(default);
        _attempts[3].SetResult(default);
        Assert.Null(await race.Within("the end of the race"));
    }

    [Fact]
    public async Task A_failure_of_another_kind_is_a_failure_as_well()
    {
        var (sut, race) = Begin(1);
        _attempts[1].SetException(new NotSupportedException("no thread"));
        Assert.Null(await race.Within("the end of the race"));
        Assert.False(sut.IsUnanswered);
        Assert.IsType<NotSupportedException>(sut.Failures.Single().Exception);
    }

    [Fact]
    public async Task A_race_in_which_one_does_not_answer_is_worth_another()
    {
        var (sut, race) = Begin(1, 2);
        _attempts[1].SetResult(new(null, Refused()));
        _attempts[2].SetResult(default);
        Assert.Null(await race.Within("the end of the race"));
        Assert.True(sut.IsUnanswered);
    }

    [Fact]
    public async Task Of_two_that_answer_the_first_is_taken_and_the_other_closed()
    {
        var (_, race) = Begin(1, 2);
        await AdvanceToAsync(2);
        using var first = new Socket(SocketType.Stream, ProtocolType.Tcp);
        using var second = new Socket(SocketType.Stream, ProtocolType.Tcp);
        _attempts[2].SetResult(new(second));
        Assert.Same(second, await race.Within("the end of the race"));
        _attempts[1].SetResult(new(first)); // it was under way
        Assert.True(first.SafeHandle.IsClosed);
        Assert.False(second.SafeHandle.IsClosed);
    }

    [Fact]
    public async Task A_dial_that_is_abandoned_tries_no_further_address()
    {
        var (_, race) = Begin(1, 2, 3);
        await _dial.CancelAsync();
        _attempts[1].SetCanceled(_tokens[1]);
        Assert.Null(await race.Within("the end of the race"));
        Assert.DoesNotContain(3, _attempts.Keys);
        Assert.Equal(0, _time.ArmedTimers);
    }

    private static SocketException Refused() => new((int)SocketError.ConnectionRefused);

    private (DialRace Sut, Task<Socket?> Race) Begin(params int[] ports)
    {
        var sut = new DialRace([.. ports.Select(port => new IPEndPoint(IPAddress.Loopback, port))], (endPoint, token) =>
        {
            int port = ((IPEndPoint)endPoint).Port;
            _tokens[port] = token;
            return (_attempts[port] = new TaskCompletionSource<DialOutcome>()).Task;
        }, new Clock(_time), _dial.Token);
        return (sut, sut.RunAsync());
    }

    private async Task AdvanceToAsync(int port)
    {
        _time.Advance(DialRace.HeadStart);
        await Eventually.Holds(() => _attempts.ContainsKey(port), $"the attempt at address {port}");
    }
}
