using Mux.Generators.Tests.Contracts;
using Mux.Serialization;

namespace Mux.Generators.Tests.Codecs;

/// <summary>Encoding allocates nothing, decoding the objects alone.</summary>
public sealed class AllocationTests
{
    private const int Rounds = 1000;

    private static readonly ContractCodecs<IDirectory> s_codecs = new();

    [Fact]
    public void Encoding_allocates_nothing()
    {
        var employee = NewEmployee();
        var buffer = MessageBuffer.Rent();
        var target = new byte[256];
        Assert.Equal(0, Measure(() =>
        {
            var writer = new MessageWriter(target, buffer);
            EncodingMeter.Encode(ref writer, employee);
        }));
        buffer.Return();
    }

    [Fact]
    public void Decoding_allocates_the_objects_and_nothing_else()
    {
        var bytes = s_codecs.Response("Search").Encode(NewEmployee());
        long objects = Measure(static () => NewEmployee());
        Assert.Equal(objects, Measure(() => EncodingMeter.Decode(bytes)));
    }

    private static Employee NewEmployee() => new()
    {
        EmployeeId = 1,
        LastName = new string('a', 7),
        FirstName = new string('b', 5),
        Title = new string('c', 2),
        City = new string('d', 7),
        Region = new string('e', 2),
        Country = new string('f', 3),
        RequestTime = 1.5,
    };

    private static long Measure(Action action)
    {
        for (int i = 0; i < Rounds; i++) action();
        long before = GC.GetAllocatedBytesForCurrentThread();
        for (int i = 0; i < Rounds; i++) action();
        return GC.GetAllocatedBytesForCurrentThread() - before;
    }
}
