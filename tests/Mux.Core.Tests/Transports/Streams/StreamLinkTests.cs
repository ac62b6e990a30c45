using System.IO.Pipelines;
using Mux.Runtime;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Transports;
using Mux.TestSupport.Transports.Streams;
using Mux.Transports;
using Mux.Transports.Streams;

namespace Mux.Core.Tests.Transports.Streams;

/// <summary>Links over streams that behave as few sockets do.</summary>
[Collection(nameof(TransportTests))]
public sealed class StreamLinkTests
{
    private readonly LinkProbe _probe = new("link");

    [Fact]
    public async Task A_link_ends_although_its_stream_never_ends_a_read_and_a_write()
    {
        long before = BufferPool.Outstanding;
        var stream = new StubbornStream();
        _probe.Start(new StreamLink(StreamConnection.Over(stream)));
        await _probe.Connected.WaitAsync();
        await stream.Reading.WaitAsync();
        Assert.Equal(3, _probe.Send("abc"u8));
        Assert.Equal(0, _probe.Send("def"u8));
        _probe.Close();
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Closed, _probe.Cause);
        await stream.Disposed.WaitAsync();

        // Long after, they end: what they used is given back, and nobody is told.
        stream.EndRead(1, 2, 3);
        stream.EndWrite();
        bool isBack = await Task.Run(() => SpinWait.SpinUntil(() => BufferPool.Outstanding <= before, Awaited.Patience), TestContext.Current.CancellationToken);
        Assert.True(isBack, "the buffers did not come back");
        Assert.Equal(0, _probe.Consumed.Count);
        Assert.Equal(0, _probe.Writable.Count);
        _probe.AssertSound();
    }

    [Fact]
    public async Task A_link_ends_although_somebody_else_completes_its_pipe_beside_it()
    {
        var (toLink, fromLink) = (new Pipe(), new Pipe());
        _probe.WhenReceived = bytes =>
        {
            toLink.Reader.Complete();
            _probe.Close();
            return bytes.Length;
        };
        _probe.Start(new StreamLink(StreamConnection.Over(new Duplex(toLink.Reader, fromLink.Writer))));
        await toLink.Writer.WriteAsync(new byte[] { 1 }, TestContext.Current.CancellationToken);
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Closed, _probe.Cause);
        Assert.True((await fromLink.Reader.ReadAsync(TestContext.Current.CancellationToken)).IsCompleted);
        _probe.AssertSound();
    }

    [Theory]
    [InlineData(false)]
    [InlineData(true)]
    public async Task A_link_over_a_pipe_upon_a_stream_whose_peer_does_not_read_ends_without_writing_what_is_left(bool endsSending)
    {
        var (toLink, stream) = (new Pipe(), new DeafStream());
        _probe.Start(new StreamLink(StreamConnection.Over(new Duplex(toLink.Reader, PipeWriter.Create(stream)))));
        await _probe.Connected.WaitAsync();
        _probe.Send("abc"u8);
        await stream.Writing.WaitAsync();
        if (endsSending) _probe.ShutdownSend();
        _probe.Close();
        await _probe.Closed.WaitAsync();
        await stream.Disposed.WaitAsync();
        Assert.Equal(0, stream.BlockingWrites);
    }

    [Fact]
    public async Task A_link_that_ends_while_a_message_has_come_in_part_keeps_the_buffer_for_its_read()
    {
        long before = BufferPool.Outstanding;
        var stream = new MessageStream();
        stream.Arrive([1]);
        stream.BeginMessage();
        _probe.WhenReceived = bytes =>
        {
            _probe.Close();
            return bytes.Length;
        };
        _probe.Start(new StreamLink(StreamConnection.Over(stream)));
        await _probe.Closed.WaitAsync();
        Assert.Equal(1, _probe.Consumed.Count);
        Assert.InRange(BufferPool.Outstanding, before + 1, long.MaxValue); // the read may still write to it
        stream.EndMessage([2]);
        await Eventually.Holds(() => BufferPool.Outstanding <= before, "the buffer to be given back");
        Assert.Equal(1, _probe.Consumed.Count);
        _probe.AssertSound();
    }

    [Fact]
    public async Task A_write_that_fails_ends_a_link_whose_read_would_wait_for_ever()
    {
        var stream = new StubbornStream { WriteError = new IOException("The pipe is broken.") };
        _probe.Start(new StreamLink(StreamConnection.Over(stream, "the peer")));
        await stream.Reading.WaitAsync();
        Assert.Equal(3, _probe.Send("abc"u8));
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _probe.Cause);
        Assert.Equal("Connection with the peer: The pipe is broken.", Assert.IsType<IOException>(_probe.Error).Message);
        _probe.AssertSound();
    }

    [Fact]
    public async Task A_read_that_throws_something_odd_is_a_failure_on_this_side()
    {
        var stream = new StubbornStream();
        _probe.Start(new StreamLink(StreamConnection.Over(stream)));
        await stream.Reading.WaitAsync();
        stream.FailRead(new InvalidDataException("No such format."));
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Failed, _probe.Cause);
        Assert.Equal("Connection: No such format.", Assert.IsType<IOException>(_probe.Error).Message);
    }

    [Fact]
    public async Task A_stream_that_cannot_end_one_direction_ends_as_a_whole_behind_the_last_byte()
    {
        var stream = new StubbornStream();
        _probe.Start(new StreamLink(StreamConnection.Over(stream)));
        await stream.Reading.WaitAsync();
        Assert.Equal(3, _probe.Send("abc"u8));
        _probe.ShutdownSend();
        Assert.False(stream.Disposed.IsSet);
        stream.EndWrite();
        await stream.Disposed.WaitAsync();
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Closed, _probe.Cause);
    }

    [Fact]
    public async Task Of_two_streams_the_output_ends_alone()
    {
        var (input, output) = (new StubbornStream(), new StubbornStream());
        _probe.Start(new StreamLink(StreamConnection.Over(input, output)));
        await input.Reading.WaitAsync();
        _probe.ShutdownSend();
        await output.Disposed.WaitAsync();
        Assert.False(input.Disposed.IsSet);
        input.EndRead();
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.EndOfStream, _probe.Cause);
        await input.Disposed.WaitAsync();
    }

    [Fact]
    public async Task A_peer_that_only_stops_reading_its_pipe_ends_the_link()
    {
        var (there, back) = (new Pipe(), new Pipe());
        _probe.Start(new StreamLink(StreamConnection.Over(new Duplex(back.Reader, there.Writer))));
        await _probe.Connected.WaitAsync();
        await there.Reader.CompleteAsync();
        Assert.Equal(1, _probe.Send("x"u8));
        await _probe.Closed.WaitAsync();
        Assert.Equal(LinkCloseCause.Reset, _probe.Cause);
        Assert.Equal("Connection: the peer closed the connection.", Assert.IsType<IOException>(_probe.Error).Message);
    }

    [Fact]
    public async Task What_a_pipe_holds_when_its_peer_goes_is_delivered_although_sending_fails()
    {
        var (there, back) = (new Pipe(), new Pipe());
        await back.Writer.WriteAsync("last words"u8.ToArray(), TestContext.Current.CancellationToken);
        await back.Writer.CompleteAsync();
        await there.Reader.CompleteAsync();
        _probe.WhenConnected = () => _probe.Send("x"u8);
        _probe.Start(new StreamLink(StreamConnection.Over(new Duplex(back.Reader, there.Writer))));
        await _probe.Closed.WaitAsync();
        Assert.Equal(10, _probe.Consumed.Count);
        Assert.Equal(LinkCloseCause.EndOfStream, _probe.Cause);
    }

    [Fact]
    public async Task A_link_that_was_never_started_completes_its_pipes_when_it_is_closed()
    {
        var (there, back) = (new Pipe(), new Pipe());
        var link = new StreamLink(StreamConnection.Over(new Duplex(back.Reader, there.Writer)));
        link.Close();
        Assert.True((await there.Reader.ReadAsync(TestContext.Current.CancellationToken)).IsCompleted);
        Assert.True((await back.Writer.FlushAsync(TestContext.Current.CancellationToken)).IsCompleted);
    }

    [Fact]
    public void A_connection_needs_streams_that_can_do_what_they_are_for()
    {
        using var input = new MemoryStream([1], writable: false);
        Assert.Equal("The stream cannot be written. (Parameter 'stream')", Assert.Throws<ArgumentException>(() => StreamConnection.Over(input)).Message);
        Assert.Equal("The stream cannot be written. (Parameter 'output')", Assert.Throws<ArgumentException>(() => StreamConnection.Over(new MemoryStream(), input)).Message);
        using var both = new MemoryStream();
        Assert.StartsWith("The output is the input", Assert.Throws<ArgumentException>(() => StreamConnection.Over(both, both)).Message, StringComparison.Ordinal);
    }

    private sealed record Duplex(PipeReader Input, PipeWriter Output) : IDuplexPipe;
}
