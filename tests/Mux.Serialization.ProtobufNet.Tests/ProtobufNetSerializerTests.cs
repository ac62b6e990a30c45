using Mux.TestSupport.EndToEnd;
using Mux.TestSupport.Serializers;
using ProtoBuf.Meta;

namespace Mux.Serialization.ProtobufNet.Tests;

/// <summary>What is particular to the library.</summary>
public sealed class ProtobufNetSerializerTests : EndToEndTests
{
    [Fact(Timeout = TestLimit)]
    public async Task The_other_side_may_use_the_codec_that_is_generated()
    {
        var scene = Begin(TransportKind.InMemory);
        var server = scene.StartServer(static server => server.AddService<IRuntimeEcho>(new RuntimeConformanceTests.RuntimeEcho()));
        var proxy = scene.CreateChannel(server).CreateProxy<ICodecEcho>();
        foreach (var specimen in Specimens.All.Values) Assert.Equal(specimen.ToString(), (await proxy.Echo(NetSpecimen.From(specimen))).Describe().ToString());
    }

    [Fact]
    public void The_codec_that_is_generated_writes_the_same_bytes()
    {
        var (library, codec) = (new DirectCodec<IRuntimeEcho, NetSpecimen>(), new DirectCodec<ICodecEcho, NetSpecimen>());
        foreach (var specimen in Specimens.All.Values) Assert.Equal(library.Encode(NetSpecimen.From(specimen)), codec.Encode(NetSpecimen.From(specimen)));
    }

    [Fact]
    public void A_type_that_the_runtime_model_does_not_take_is_refused_when_a_contract_is_prepared()
    {
        Assert.Throws<NotSupportedException>(ProtobufNetSerializer.Prepare<Uri[][]>);
        ProtobufNetSerializer.Prepare<NetSpecimen>();
    }

    [Fact]
    public void A_type_that_a_generated_model_lacks_is_refused_when_a_contract_is_prepared()
    {
        Assert.Throws<NotSupportedException>(ProtobufNetModelSerializer<NetModel>.Prepare<ProtobufNetSerializerTests>);
        ProtobufNetModelSerializer<NetModel>.Prepare<NetSpecimen>();
    }

    [Fact]
    public void The_limit_of_the_application_s_own_model_stays()
    {
        ProtobufNetSerializer.Prepare<NetSpecimen>();
        Assert.Equal(64, ProtobufNetSerializer.Model.MaxDepth);
        Assert.NotEqual(64, RuntimeTypeModel.Default.MaxDepth);
    }
}
