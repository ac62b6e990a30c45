using System.Text;
using Mux.Contracts;
using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;

namespace Mux.Tests.Serializers;

/// <summary>What a contract gets that names serializers.</summary>
public sealed class NamedSerializerTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task A_method_s_choice_overrides_its_service_s()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        Assert.Equal(7, (await sut.Json(new JsonSpecimen { Number = 7 })).Number);
        Assert.Equal("ab", await sut.Codec("a", "b"));
        Assert.Equal([1, 2], (await sut.Raw(new byte[] { 1, 2 })).ToArray());
        using var reader = new StreamReader(await sut.Bytes(new MemoryStream("bytes are no messages"u8.ToArray())));
        Assert.Equal("bytes are no messages", await reader.ReadToEndAsync(TestContext.Current.CancellationToken));
    }

    [Fact]
    public void A_descriptor_says_what_the_bytes_are()
    {
        var formats = new FormatCollector();
        ServiceContract<IMixedFormats>.Get().Describe(formats);
        Assert.Equal(["Json json", "Raw raw", "Codec protobuf", "Tell indiscreet", "WithoutArguments json", "Bytes json", "Perhaps json"], formats.Found);
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_is_on_the_wire_is_what_the_serializer_wrote()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IRawEcho>(new RawEcho { Answer = static body => Encoding.UTF8.GetBytes($$"""{"Text":"{{Convert.ToHexString(body)}}"}""") }));
        var sut = scene.CreateChannel(server).CreateProxy<IJsonEcho>();
        var reply = await sut.Echo(new JsonSpecimen { Number = 7 });
        Assert.Equal("""{"Number":7,"Real":0,"Flag":false,"Grade":"None"}""", Encoding.UTF8.GetString(Convert.FromHexString(reply.Text!)));
    }

    [Fact(Timeout = TestLimit)]
    public async Task Failures_may_be_values()
    {
        var sut = Start(Begin(TransportKind.InMemory));
        Assert.True((await sut.Perhaps(new JsonSpecimen { Flag = true })).TryGetValue(out var found));
        Assert.True(found!.Flag);
        Assert.Equal(MuxStatus.NotFound, (await sut.Perhaps(new JsonSpecimen())).Failure!.Status);
        Assert.Equal(MuxStatus.InvalidArgument, (await sut.Perhaps(null!)).Failure!.Status);
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_a_newer_peer_sends_to_a_method_without_arguments_is_passed_over()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IMixedFormats>(new MixedFormats()));
        var sut = scene.CreateChannel(server).CreateProxy<INewerFormats>();
        Assert.Equal(1, (await sut.WithoutArguments(new JsonSpecimen { Text = "new" })).Number);
    }

    [Fact(Timeout = TestLimit)]
    public async Task What_user_code_throws_while_it_reads_stays_at_the_server()
    {
        var scene = Begin(TransportKind.InMemory);
        var error = await Assert.ThrowsAsync<MuxException>(() => Start(scene).Tell("x").AsTask());
        Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (error.Status, error.Execution));
        Assert.Contains("IMixedFormats.Tell(message), string as indiscreet: the serializer or code of the type threw an exception when it read the 1 bytes.", error.Message, StringComparison.Ordinal);
        Assert.DoesNotContain(Indiscreet.Secret, error.ToString(), StringComparison.Ordinal);
        Assert.Contains(Indiscreet.Secret, Assert.Single(scene.Logs.Of("RequestUndecodable")).Error!.ToString(), StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task Sides_that_name_different_serializers_fail_call_by_call_and_say_so()
    {
        var scene = Begin(TransportKind.InMemory);
        var codec = scene.StartServer(static server => server.AddService<IGeneratedEcho>(new GeneratedCodecConformanceTests.GeneratedEcho()));
        var json = scene.StartServer(static server => server.AddService<IJsonEcho>(new JsonSerializerConformanceTests.JsonEcho()));
        for (int i = 0; i < 2; i++)
        {
            var error = await Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(json).CreateProxy<IGeneratedEcho>().Echo(new GeneratedSpecimen { Number = 1 }).AsTask());
            Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (error.Status, error.Execution));
            Assert.Contains("JsonSpecimen as json", error.Message, StringComparison.Ordinal);
            Assert.Contains("The two sides were built against different contracts", error.Message, StringComparison.Ordinal);
            Assert.Contains("which uses the format json.", error.Message, StringComparison.Ordinal);
            error = await Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(codec).CreateProxy<IJsonEcho>().Echo(new JsonSpecimen { Number = 1 }).AsTask());
            Assert.Equal((MuxStatus.InvalidArgument, MuxExecution.NotExecuted), (error.Status, error.Execution));
            Assert.Contains("The two sides were built against different contracts", error.Message, StringComparison.Ordinal);
        }
    }

    [Fact(Timeout = TestLimit)]
    public async Task Of_one_format_an_error_says_nothing_of_contracts()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IRawEcho>(new RawEcho { Answer = static _ => "{"u8.ToArray() }));
        var error = await Assert.ThrowsAsync<MuxException>(() => scene.CreateChannel(server).CreateProxy<IJsonEcho>().Echo(new JsonSpecimen()).AsTask());
        Assert.Contains("different contracts", error.Message, StringComparison.Ordinal); // the server says raw

        var json = scene.StartServer(static server => server.AddService<IJsonEcho>(new JsonSerializerConformanceTests.JsonEcho()));
        var other = scene.CreateChannel(json).CreateProxy<IOtherJsonEcho>();
        error = await Assert.ThrowsAsync<MuxException>(() => other.Echo(new Layered(1, null)).AsTask());
        Assert.Equal(MuxStatus.InvalidArgument, error.Status);
        Assert.DoesNotContain("contract", error.Message, StringComparison.Ordinal);
    }

    [Fact(Timeout = TestLimit)]
    public async Task A_type_that_cannot_be_sent_is_told_before_the_first_call()
    {
        const string expected = "IUnprepared.Unknown, System.Uri as json: Mux.Tests.Serializers.JsonEchoContext does not know System.Uri: add it there with [JsonSerializable].";
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static _ => { });
        await using var unprepared = new MuxServer(new MuxServerOptions { Address = scene.FreeAddress().ToString(), Transport = scene.InMemory });
        unprepared.AddService<IUnprepared>(new Unprepared());
        Assert.Contains(expected, Assert.Throws<InvalidOperationException>(() => unprepared.Start()).Message, StringComparison.Ordinal);
        Assert.Contains(expected, Assert.Throws<InvalidOperationException>(() => scene.CreateChannel(server).CreateProxy<IUnprepared>()).Message, StringComparison.Ordinal);
    }

    private static IMixedFormats Start(Scene scene) => scene.CreateChannel(scene.StartServer(static server => server.AddService<IMixedFormats>(new MixedFormats()))).CreateProxy<IMixedFormats>();

    private sealed class FormatCollector : IMethodVisitor
    {
        public List<string> Found { get; } = [];

        public void Unary<TRequest, TResponse>(UnaryMethod<TRequest, TResponse> method) => Add(method.Descriptor);

        public void Stream<TRequest, TItem, TResponse>(StreamMethod<TRequest, TItem, TResponse> method) => Add(method.Descriptor);

        private void Add(MethodDescriptor method) => Found.Add($"{method.FullName.Split('/')[1]} {method.Format}");
    }
}
