using System.Runtime.Serialization;

namespace Mux.Description.Tests.Json;

/// <summary>Values of the framework in protobuf-net's own forms.</summary>
public sealed class BclJsonTests
{
    private static readonly MessageJson s_json = new(ContractSet.Of<IValues>().FindService("test.Values")!.Methods[0].Request);

    [DataContract]
    public sealed class Values
    {
        [DataMember(Order = 1)] public DateTime? Date { get; set; }

        [DataMember(Order = 2)] public TimeSpan? Span { get; set; }

        [DataMember(Order = 3)] public Guid? Id { get; set; }

        [DataMember(Order = 4)] public decimal? Price { get; set; }
    }

    [MuxService("test.Values")]
    public interface IValues
    {
        ValueTask<Values> Echo(Values values);
    }

    [Theory]
    [InlineData("""{"date":"2026-11-27T01:30:00.1234567"}""")]
    [InlineData("""{"date":"1970-01-01T00:00:00.0000000"}""")]
    [InlineData("""{"date":"0001-01-01T00:00:00.0000000"}""")]
    [InlineData("""{"date":"9999-12-31T23:59:59.9999999"}""")]
    [InlineData("""{"span":"1.02:03:04.5000000"}""")]
    [InlineData("""{"span":"-10675199.02:48:05.4775808"}""")]
    [InlineData("""{"span":"00:00:00"}""")]
    [InlineData("""{"id":"00112233-4455-6677-8899-aabbccddeeff"}""")]
    [InlineData("""{"price":"1.50"}""")]
    [InlineData("""{"price":"-79228162514264337593543950335"}""")]
    public void Values_of_the_framework_are_texts(string json) => Assert.Equal(json, s_json.Write(s_json.Read(json)));

    [Fact]
    public void Their_bytes_are_those_of_protobuf_net()
    {
        Assert.Equal([0x0A, 0x02, 0x08, 0x02], s_json.Read("""{"date":"1970-01-02T00:00:00"}"""));
        Assert.Equal([0x12, 0x04, 0x08, 0x06, 0x10, 0x01], s_json.Read("""{"span":"03:00:00"}"""));
        Assert.Equal([0x22, 0x05, 0x08, 0x96, 0x01, 0x18, 0x04], s_json.Read("""{"price":1.50}"""));
    }

    [Theory]
    [InlineData("""{"date":"27.11.2026"}""", "$.date is '27.11.2026'; allowed are dates such as")]
    [InlineData("""{"span":"5 s"}""", "$.span is '5 s'; allowed are time spans such as")]
    [InlineData("""{"id":"{00112233}"}""", "$.id is '{00112233}'; allowed are Guids such as")]
    [InlineData("""{"price":"1e40"}""", "$.price is '1e40'; allowed are decimals such as")]
    public void Other_texts_are_refused(string json, string problem) =>
        Assert.Contains(problem, Assert.Throws<InvalidDataException>(() => s_json.Read(json)).Message, StringComparison.Ordinal);
}
