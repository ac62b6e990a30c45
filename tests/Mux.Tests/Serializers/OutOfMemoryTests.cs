using System.Collections.Concurrent;
using System.Text;
using Microsoft.Extensions.Logging;
using Mux.Client;
using Mux.Engine;
using Mux.Serialization;
using Mux.TestSupport.EndToEnd;
using Mux.Tests.EndToEnd;

namespace Mux.Tests.Serializers;

/// <summary>
/// A process without memory for a message says nothing about its bytes: the call fails with ResourceExhausted, a request
/// has not run, and callers do not send it again and again.
/// </summary>
public sealed class OutOfMemoryTests : EndToEndTests
{
    private static CancellationToken Token => TestContext.Current.CancellationToken;

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_request_without_memory_is_ResourceExhausted_not_executed_and_an_error_in_the_log(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("RequestUndecodable");
        var service = new ScarceService();
        var sut = Start(scene, service);
        foreach (var call in (Func<string, Task>[])[
            message => sut.Say(message, Token).AsTask(), message => sut.Batched(message, Token).AsTask(),
            message => sut.Ordered(new Keyed { Text = message }, Token).AsTask(),
            message => sut.List(message, Token).ToListAsync(Token).AsTask()])
        {
            var error = await call(Scarce.Unreadable()).FailsAsync(
                MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);
            Assert.Contains("out of memory", error.Message, StringComparison.Ordinal);
            Assert.DoesNotContain("contract", error.Message, StringComparison.Ordinal);
            Assert.Null(error.RetryAfter);
        }

        Assert.Equal(0, service.Calls);
        Assert.Equal("fine", await sut.Say("fine", Token));
        var told = scene.Logs.Of("RequestUndecodable");
        Assert.Equal(4, told.Count);
        Assert.All(told, static entry => Assert.Equal((LogLevel.Error, typeof(OutOfMemoryException)), (entry.Level, entry.Error!.GetType())));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_request_without_memory_is_sent_to_one_other_server_and_no_more()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("RequestUndecodable");
        scene.ExpectedEnds.Add(CloseReason.Disposed); // the third server may still be dialed when all is over
        MuxServer[] servers = [.. Enumerable.Range(0, 3).Select(_ => scene.StartServer(static server => server.AddService<IScarce>(new ScarceService())))];
        var channel = scene.CreateChannel(servers[0].Address, options =>
        {
            options.Endpoints = new FixedEndpoints("test://list", [.. servers.Select(static server => server.Address)]);
            options.Resilience.Attempts = 5;
        });
        var message = Scarce.Unreadable();

        await channel.CreateProxy<IScarce>().Say(message, Token)
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        Assert.Equal(2, Scarce.ReadsOf(message));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Behind_a_gateway_a_request_without_memory_fails_in_the_same_way()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("RequestUndecodable");
        var server = scene.StartServer(static server => server.AddService<IScarce>(new ScarceService()));
        var gateway = scene.StartServer(gateway => gateway.AddRoute(new MuxRoute("test.*", scene.CreateChannel(server))));
        var message = Scarce.Unreadable();

        var error = await scene.CreateChannel(gateway).CreateProxy<IScarce>().Say(message, Token)
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Dispatch);

        Assert.Contains("out of memory", error.Message, StringComparison.Ordinal);
        Assert.Equal(1, Scarce.ReadsOf(message));
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_handler_gets_an_item_without_memory_as_ResourceExhausted(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("RequestUndecodable");
        var sut = Start(scene, new ScarceService());
        var error = await sut.Join(Items("a", Scarce.Unreadable()), Token)
            .FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);
        Assert.Contains("out of memory", error.Message, StringComparison.Ordinal);
        Assert.Equal(LogLevel.Error, Assert.Single(scene.Logs.Of("RequestUndecodable")).Level);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_caller_without_memory_for_a_reply_gets_ResourceExhausted_executed(TransportKind kind)
    {
        var scene = Begin(kind);
        var sut = Start(scene, new ScarceService(), static options => options.Resilience.Attempts = 5);
        foreach (var call in (Func<string, Task>[])[
            message => sut.Say(Scarce.Echo + message, Token).AsTask(),
            message => sut.Say(Scarce.Echo + message + new string('x', 300_000), Token).AsTask(),
            message => sut.Join(Items(Scarce.Echo + message[..2], message[2..]), Token).AsTask(),
            message => sut.List(Scarce.Echo + message, Token).ToListAsync(Token).AsTask()])
        {
            var error = await call(Scarce.Unreadable()).FailsAsync(
                MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode);
            Assert.Contains("out of memory", error.Message, StringComparison.Ordinal);
            Assert.Empty(error.Attempts);
        }

        var perhaps = await sut.Perhaps(Scarce.Echo + Scarce.Unreadable(), Token);
        Assert.Equal(MuxStatus.ResourceExhausted, perhaps.Failure!.Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Callbacks_without_memory_fail_in_the_same_way_on_both_sides()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("ClientContinuationFailed"); // the arguments that its callback did not get
        var sut = Start(scene, new ScarceService());
        var callback = new ScarceCallback();

        Assert.Equal("ResourceExhausted", await sut.CallBack("arguments", callback, Token));
        await sut.CallBack("answer", callback, Token).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);
        await sut.CallBack("result", callback, Token).FailsAsync(MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Decode);
    }

    [Theory(Timeout = TestLimit), ClassData(typeof(EveryTransport))]
    public async Task A_reply_that_its_server_has_no_memory_to_encode_is_ResourceExhausted_executed(TransportKind kind)
    {
        var scene = Begin(kind);
        scene.ExpectedErrors.Add("ReplyUnencodable");
        var service = new ScarceService();
        var sut = Start(scene, service, static options => options.Resilience.Attempts = 5);
        foreach (var call in (Func<string, Task>[])[
            message => sut.Say(message, Token).AsTask(),
            message => sut.Ordered(new Keyed { Text = message }, Token).AsTask(),
            message => sut.Join(Items(message), Token).AsTask()])
        {
            var error = await call(Scarce.Echo + Scarce.Unwritable).FailsAsync(
                MuxStatus.ResourceExhausted, MuxExecution.Executed, MuxCallPhase.Handler);
            Assert.Contains("out of memory", error.Message, StringComparison.Ordinal);
            Assert.Empty(error.Attempts);
        }

        Assert.Equal(3, service.Calls);
        Assert.Equal("fine", await sut.Say("fine", Token));
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_caller_without_memory_to_encode_a_request_gets_ResourceExhausted_not_executed()
    {
        var service = new ScarceService();
        var sut = Start(Begin(TransportKind.InMemory), service);
        await sut.Say(Scarce.Unwritable, Token).FailsAsync(
            MuxStatus.ResourceExhausted, MuxExecution.NotExecuted, MuxCallPhase.Encode);
        Assert.Equal(0, service.Calls);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Callbacks_without_memory_to_encode_their_messages_fail_in_the_same_way_on_both_sides()
    {
        var scene = Begin(TransportKind.InMemory);
        scene.ExpectedErrors.Add("ClientContinuationFailed"); // the answer that the callback has not sent
        var sut = Start(scene, new ScarceService());
        var callback = new ScarceCallback();

        Assert.Equal("ResourceExhausted", await sut.CallBack("arguments written", callback, Token));
        Assert.Equal("ResourceExhausted", await sut.CallBack("answer written", callback, Token));
    }

    private static IScarce Start(Scene scene, ScarceService service, Action<MuxChannelOptions>? configure = null) =>
        scene.CreateChannel(scene.StartServer(server => server.AddService<IScarce>(service)), configure).CreateProxy<IScarce>();

    private static async IAsyncEnumerable<string> Items(params string[] items)
    {
        foreach (var item in items)
        {
            await Task.Yield();
            yield return item;
        }
    }
}

/// <summary>Methods of every shape whose messages a process may have no memory for.</summary>
[MuxService("test.Scarce", Serializer = typeof(Scarce))]
public interface IScarce
{
    [MuxMethod(Idempotent = true)]
    ValueTask<string> Say(string message, CancellationToken cancellationToken = default);

    [MuxMethod(Batched = 4)]
    ValueTask<string> Batched(string message, CancellationToken cancellationToken = default);

    [MuxMethod(Dispatch = MuxDispatchMode.Ordered, TimeoutMilliseconds = 60_000)]
    ValueTask<string> Ordered(Keyed message, CancellationToken cancellationToken = default);

    ValueTask<MuxResult<string>> Perhaps(string message, CancellationToken cancellationToken = default);

    IAsyncEnumerable<string> List(string message, CancellationToken cancellationToken = default);

    ValueTask<string> Join(IAsyncEnumerable<string> items, CancellationToken cancellationToken = default);

    ValueTask<string> CallBack(string which, IScarceCallback callback, CancellationToken cancellationToken = default);
}

[MuxCallback]
public interface IScarceCallback
{
    ValueTask<string> Ask(string question, CancellationToken cancellationToken = default);
}

/// <summary>A message with a key.</summary>
public sealed class Keyed
{
    [MuxKey]
    public string Text { get; set; } = string.Empty;
}

/// <summary>Texts. One that begins with a mark cannot be read for lack of memory.</summary>
[PayloadFormat("scarce")]
public sealed class Scarce : IPayloadSerializer
{
    /// <summary>A text that begins with it is answered with the rest.</summary>
    public const string Echo = "echo:";

    /// <summary>A text that cannot be written for lack of memory.</summary>
    public const string Unwritable = "no room";

    private const string Mark = "no memory ";

    private static readonly ConcurrentDictionary<string, int> s_reads = new(StringComparer.Ordinal);

    /// <summary>Gets a text of which no other test knows.</summary>
    public static string Unreadable() => Mark + Guid.NewGuid();

    public static int ReadsOf(string text) => s_reads.GetValueOrDefault(text);

    public static void Write<T>(ref MessageWriter writer, T value)
    {
        var text = value is Keyed keyed ? keyed.Text : value?.ToString() ?? string.Empty;
        if (text == Unwritable) throw new OutOfMemoryException();
        writer.Write(Encoding.UTF8.GetBytes(text));
    }

    public static T Read<T>(ReadOnlySpan<byte> body)
    {
        var text = Encoding.UTF8.GetString(body);
        if (text.StartsWith(Mark, StringComparison.Ordinal))
        {
            s_reads.AddOrUpdate(text, 1, static (_, count) => count + 1);
            throw new OutOfMemoryException();
        }

        return (T)(typeof(T) == typeof(Keyed) ? new Keyed { Text = text } : (object)text);
    }
}

internal sealed class ScarceService : IScarceBatch
{
    public int Calls { get; private set; }

    public ValueTask<string> Say(string message, CancellationToken cancellationToken) => new(Answer(message));

    public ValueTask Batched(MuxCalls<string, string> calls) => default;

    public ValueTask<string> Ordered(Keyed message, CancellationToken cancellationToken) => new(Answer(message.Text));

    public ValueTask<MuxResult<string>> Perhaps(string message, CancellationToken cancellationToken) => new(Answer(message));

    public async IAsyncEnumerable<string> List(string message, [System.Runtime.CompilerServices.EnumeratorCancellation] CancellationToken cancellationToken)
    {
        await Task.Yield();
        yield return Answer(message);
    }

    public async ValueTask<string> Join(IAsyncEnumerable<string> items, CancellationToken cancellationToken) =>
        Answer(string.Concat(await items.ToListAsync(cancellationToken)));

    public async ValueTask<string> CallBack(string which, IScarceCallback callback, CancellationToken cancellationToken)
    {
        if (which == "result") return Scarce.Unreadable();
        try
        {
            return await callback.Ask(which switch
            {
                "answer" => Scarce.Echo + Scarce.Unreadable(),
                "arguments written" => Scarce.Unwritable,
                "answer written" => Scarce.Echo + Scarce.Unwritable,
                _ => Scarce.Unreadable(),
            }, cancellationToken);
        }
        catch (MuxException error)
        {
            return error.Status.ToString();
        }
    }

    private string Answer(string message)
    {
        Calls++;
        return message.StartsWith(Scarce.Echo, StringComparison.Ordinal) ? message[Scarce.Echo.Length..] : message;
    }
}

internal sealed class ScarceCallback : IScarceCallback
{
    public ValueTask<string> Ask(string question, CancellationToken cancellationToken) => new(question[Scarce.Echo.Length..]);
}
