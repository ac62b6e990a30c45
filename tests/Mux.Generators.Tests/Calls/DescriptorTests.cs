using Mux.Contracts;

namespace Mux.Generators.Tests.Calls;

/// <summary>What a contract says about its methods.</summary>
public sealed class DescriptorTests
{
    private static readonly Dictionary<string, MethodDescriptor> s_calls = Collect<ICalls>().Methods;
    private static readonly Dictionary<string, MethodDescriptor> s_outcomes = Collect<IOutcomes>().Methods;
    private static readonly MethodCollector s_streams = Collect<IStreams>();

    [Fact]
    public void Methods_are_described_in_the_order_of_their_declaration()
    {
        Assert.Equal(
            [
                "Nothing", "NothingLater", "TaskWithoutResult", "Message", "MessageTask", "Number", "Join", "Struct", "MaybeStruct", "Bytes",
                "Leaves", "Fire", "FireTask", "NumberOf", "event", "Fail",
            ],
            s_calls.Keys.Select(static name => name.Split('/')[1]));
    }

    [Theory]
    [InlineData("Message", MethodShape.Unary, MuxDispatchMode.Pool, false)]
    [InlineData("Join", MethodShape.Unary, MuxDispatchMode.Pool, true)]
    [InlineData("Fire", MethodShape.OneWay, MuxDispatchMode.Pool, false)]
    [InlineData("FireTask", MethodShape.OneWay, MuxDispatchMode.Inline, false)]
    public void A_descriptor_says_what_the_attributes_say(string name, MethodShape shape, MuxDispatchMode dispatch, bool takesToken)
    {
        var descriptor = s_calls["test.Calls/" + name];
        Assert.Equal((shape, dispatch, takesToken), (descriptor.Shape, descriptor.Choices.Dispatch, descriptor.TakesToken));
    }

    [Theory]
    [InlineData("Read", MethodShape.ResponseStream, typeof(MuxUnit), typeof(Messages.Leaf))]
    [InlineData("ChannelLater", MethodShape.ResponseStream, typeof(MuxUnit), typeof(int))]
    [InlineData("Bytes", MethodShape.ResponseStream, typeof(MuxUnit), typeof(ByteChunk))]
    [InlineData("Sum", MethodShape.RequestStream, typeof(int), typeof(int))]
    [InlineData("SumPipe", MethodShape.RequestStream, typeof(ByteChunk), typeof(int))]
    [InlineData("Keep", MethodShape.RequestStream, typeof(Messages.Leaf), typeof(MuxUnit))]
    [InlineData("Echo", MethodShape.Duplex, typeof(string), typeof(string))]
    [InlineData("Mirror", MethodShape.Duplex, typeof(ByteChunk), typeof(ByteChunk))]
    public void The_shape_and_the_items_follow_from_the_streams(string name, MethodShape shape, Type item, Type response)
    {
        Assert.Equal(shape, s_streams.Methods["test.Streams/" + name].Shape);
        Assert.Equal([item, response], s_streams.Payloads["test.Streams/" + name].Skip(1));
    }

    [Fact]
    public void Arguments_beside_a_stream_are_the_request()
    {
        Assert.Equal(typeof(int), s_streams.Payloads["test.Streams/Sum"][0]);
        Assert.Equal(typeof(MuxUnit), s_streams.Payloads["test.Streams/SumBytes"][0]);
        Assert.Equal(["factor", "offset"], s_streams.Payloads["test.Streams/SumChannel"][0].GetFields().Select(static field => field.Name));
    }

    [Fact]
    public void A_method_without_choices_has_those_of_its_service()
    {
        var descriptor = s_outcomes["test.Outcomes/Ignore"];
        Assert.Equal(Choices(MuxDispatchMode.Pool, TimeSpan.FromSeconds(2), MuxCallPriority.High, isIdempotent: true, 4096), descriptor.Choices);
    }

    [Fact]
    public void A_method_overrides_the_choices_of_its_service_also_with_what_is_usual()
    {
        var descriptor = s_outcomes["test.Outcomes/Own"];
        Assert.Equal(Choices(MuxDispatchMode.Adaptive, TimeSpan.FromMilliseconds(1), MuxCallPriority.Normal, isIdempotent: false, 1), descriptor.Choices);
    }

    [Fact]
    public void Where_nobody_chose_nothing_is_chosen()
    {
        Assert.Equal(default, s_streams.Methods["test.Streams/Read"].Choices);
    }

    [Theory]
    [InlineData("Tenant", true)]
    [InlineData("Touch", true)]
    [InlineData("Tenants", true)]
    [InlineData("Upload", true)]
    [InlineData("Ignore", false)]
    public void A_descriptor_says_whether_the_handler_takes_options(string name, bool takes) => Assert.Equal(takes, s_outcomes["test.Outcomes/" + name].TakesOptions);

    [Theory]
    [InlineData("Plain", false, true, "", "guest")]
    [InlineData("Strict", false, true, "first second", "guest a,b")]
    [InlineData("Open", true, false, "", "")]
    [InlineData("Both", true, true, "", "guest")]
    [InlineData("Inherited", false, true, "hall inside \"the\" house", "guest")]
    public void Who_may_call_a_method_adds_up_from_its_contract_and_itself(string name, bool allowsAnonymous, bool requiresUser, string policies, string roles)
    {
        var authorization = Collect<IDoors>().Methods["test.Doors/" + name].Authorization!;
        Assert.Equal((allowsAnonymous, requiresUser), (authorization.AllowsAnonymous, authorization.RequiresUser));
        Assert.Equal((policies, roles), (string.Join(' ', authorization.Policies), string.Join(' ', authorization.Roles)));
    }

    [Fact]
    public void A_method_whose_contract_says_nothing_of_callers_has_no_authorization() => Assert.Null(s_calls["test.Calls/Message"].Authorization);

    private static MethodChoices Choices(MuxDispatchMode dispatch, TimeSpan timeout, MuxCallPriority priority, bool isIdempotent, int maxMessageBytes) =>
        new() { Dispatch = dispatch, Timeout = timeout, Priority = priority, Idempotent = isIdempotent, MaxMessageBytes = maxMessageBytes };

    private static MethodCollector Collect<TService>()
        where TService : class
    {
        var collector = new MethodCollector();
        ServiceContract<TService>.Get().Describe(collector);
        return collector;
    }
}
