namespace Mux.Generators.Tests.Driver;

/// <summary>The whole of what is generated for a small contract, for people to read.</summary>
public sealed class SnapshotTests
{
    private const string Contract = """
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Tasks;
        namespace Hr;

        [DataContract]
        public sealed record Query([property: DataMember(Order = 1)] int Id, [property: DataMember(Order = 2)] string? Name);

        [DataContract]
        public sealed class Employee
        {
            [DataMember(Order = 1)] public int Id { get; set; }
            [DataMember(Order = 2)] public string? Name { get; set; }
            [DataMember(Order = 3)] public System.Collections.Generic.List<Employee>? Reports { get; set; }
        }

        [Mux.MuxService("hr.Directory")]
        public interface IDirectory
        {
            ValueTask<Employee> SearchAsync(Query query, CancellationToken cancellationToken = default);
            Task<bool> MoveAsync(int id, string city);
        }
        """;

    private const string Streams = """
        using System.Collections.Generic;
        using System.IO;
        using System.IO.Pipelines;
        using System.Runtime.Serialization;
        using System.Threading;
        using System.Threading.Channels;
        using System.Threading.Tasks;
        using Mux;
        namespace Log;

        [DataContract] public sealed record Entry([property: DataMember(Order = 1)] int Id);
        [DataContract] public sealed record Full([property: DataMember(Order = 1)] int Left);
        [DataContract] public sealed record Gone([property: DataMember(Order = 1)] int Since);

        [MuxService("log.Store", TimeoutMilliseconds = 5000, Idempotent = true), MuxError<Full>(1)]
        public interface IStore
        {
            IAsyncEnumerable<Entry> ReadAsync(int from, CancellationToken cancellationToken = default);
            [MuxMethod(Priority = MuxCallPriority.Low, MaxMessageBytes = 1024, Idempotent = false)]
            ValueTask WriteAsync(string name, IAsyncEnumerable<Entry> entries, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
            Task<ChannelReader<int>> Count(ChannelReader<Entry> entries);
            ValueTask<Stream> Pack(Stream raw, int level);
            PipeReader Tail();
            [MuxError<Gone>(300)]
            ValueTask<MuxResult<Entry>> FindAsync(int id, MuxCallOptions? options);
        }
        """;

    private const string Types = """
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using Mux;
        using ProtoBuf;
        namespace Zoo;

        [ProtoContract]
        [ProtoInclude(10, typeof(Dog))]
        [ProtoInclude(11, typeof(Fish), DataFormat = DataFormat.Group)]
        public abstract class Animal
        {
            [ProtoMember(1)] public string? Name { get; set; }
            [ProtoAfterDeserialization] private void Read() { }
        }

        [ProtoContract]
        public class Dog : Animal
        {
            [ProtoMember(1)] public int Age { get; set; }
            public bool AgeSpecified { get; set; }
            [ProtoMember(2)] public Weight? Weight { get; set; }
            [ProtoMember(3)] public (int X, int Y) Place { get; set; }
            private UnknownFields? Rest { get; set; }
        }

        [ProtoContract] public sealed class Fish : Animal { }

        [ProtoContract(Surrogate = typeof(WeightWire))]
        public sealed class Weight { }

        [ProtoContract]
        public sealed class WeightWire
        {
            [ProtoMember(1)] public int Grams { get; set; }
            public static explicit operator WeightWire(Weight weight) => new();
            public static explicit operator Weight(WeightWire wire) => new();
        }

        [MuxService("zoo")] public interface IZoo { ValueTask Send(Dog dog); }
        """;

    private const string Flat = """
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        namespace Shop;

        [DataContract]
        public sealed class Order
        {
            [DataMember(Order = 1)] public long Id { get; set; }
            [DataMember(Order = 2)] public Line? Gift { get; set; }
            [DataMember(Order = 3)] public List<Line>? Lines { get; set; }
        }

        [DataContract]
        public sealed class Line
        {
            [DataMember(Order = 1)] public string? Product { get; set; }
            [DataMember(Order = 2)] public int Count { get; set; }
        }

        [Mux.MuxService("shop")] public interface IShop { ValueTask Buy(Order order); }
        """;

    private const string Serialized = """
        using System.Collections.Generic;
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        using Mux.Serialization;
        using Mux.Serialization.Raw;
        namespace Files;

        [PayloadFormat("text")]
        public sealed class Text : IPayloadSerializer
        {
            public static void Write<T>(ref MessageWriter writer, T value) { }
            public static T Read<T>(System.ReadOnlySpan<byte> body) => default!;
        }

        [MuxService("files.Store", Serializer = typeof(Text))]
        public interface IFiles
        {
            [MuxError<System.Version>(1)]
            ValueTask<MuxResult<System.Uri>> FindAsync(string? name, CancellationToken cancellationToken = default);
            IAsyncEnumerable<System.DateTime> WatchAsync(CancellationToken cancellationToken = default);
            [MuxMethod(Serializer = typeof(RawSerializer))]
            ValueTask PutAsync(PooledBytes content);
            [MuxMethod(Serializer = typeof(GeneratedCodec))]
            Task<bool> Has(string name);
        }
        """;

    private const string Keys = """
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using Mux;
        namespace Shop;

        [DataContract]
        public sealed class Basket
        {
            [DataMember(Order = 1)] public Customer? Customer { get; set; }
            [MuxKey] internal long? Number => Customer?.Id;
        }

        [DataContract] public sealed record Customer([property: DataMember(Order = 1)] long Id);

        [MuxService("shop.Baskets")]
        public interface IBaskets
        {
            ValueTask SaveAsync(Basket basket);
            ValueTask<Basket> FindAsync([MuxKey] int customer);
            ValueTask MergeAsync(Basket into, [MuxKey] string? from);
            IAsyncEnumerable<Basket> WatchAsync([MuxKey] System.Guid session);
        }
        """;

    private const string Callbacks = """
        using System.Threading;
        using System.Threading.Tasks;
        using Mux;
        namespace Shop;

        [MuxCallback]
        public interface IProgress
        {
            [MuxMethod(OneWay = true)] ValueTask Report(int percent);
            ValueTask<bool> AskAsync(string question, string? hint, CancellationToken cancellationToken = default);
        }

        [MuxCallback(Concurrent = 8)] public interface ISink<T> { Task Put(T item); }

        [MuxService("shop.Imports")]
        public interface IImports
        {
            ValueTask<int> ImportAsync(string file, IProgress progress, MuxCallOptions? options = null, CancellationToken cancellationToken = default);
            Task Copy(ISink<long> one, IProgress progress, ISink<string> two);
        }
        """;

    [Theory]
    [InlineData("Registration.g.cs")]
    [InlineData("Hr_IDirectory_Service.g.cs")]
    [InlineData("Hr_Query_Codec.g.cs")]
    [InlineData("Hr_Employee_Codec.g.cs")]
    public void The_generated_code_is_what_was_reviewed(string file) => Compare(Contract, file);

    [Fact]
    public void The_generated_code_of_streams_is_what_was_reviewed() => Compare(Streams, "Log_IStore_Service.g.cs");

    [Theory]
    [InlineData("Shop_Order_Codec.g.cs")]
    [InlineData("Shop_Line_Codec.g.cs")]
    public void The_generated_code_of_messages_of_numbers_and_texts_alone_is_what_was_reviewed(string file) => Compare(Flat, file);

    [Fact]
    public void The_generated_code_of_keys_is_what_was_reviewed() => Compare(Keys, "Shop_IBaskets_Service.g.cs");

    [Fact]
    public void The_generated_code_of_callbacks_is_what_was_reviewed() => Compare(Callbacks, "Shop_IImports_Service.g.cs");

    [Fact]
    public void The_generated_code_of_other_serializers_is_what_was_reviewed() => Compare(Serialized, "Files_IFiles_Service.g.cs");

    [Theory]
    [InlineData("Zoo_Animal_Codec.g.cs")]
    [InlineData("Zoo_Dog_Codec.g.cs")]
    [InlineData("Zoo_Weight_Codec.g.cs")]
    public void The_generated_code_of_types_that_are_special_as_a_whole_is_what_was_reviewed(string file) => Compare(Types, file, GeneratorRun.ProtoBufSource);

    private static void Compare(string contract, string file, params string[] more)
    {
        var folder = Path.Combine(AppContext.BaseDirectory, "Driver", "Snapshots");
        var version = typeof(MuxGenerator).Assembly.GetName().Version!.ToString(3);
        var actual = GeneratorRun.Of([contract, .. more]).GeneratedFile(file).Replace($"\"{version}\"", "\"VERSION\"", StringComparison.Ordinal);
        var received = Path.Combine(folder, file + ".received.txt");
        File.WriteAllText(received, actual);
        Assert.True(actual == File.ReadAllText(Path.Combine(folder, file + ".txt")), $"Compare with {received}; if the change is meant, copy it over the file in the tests.");
    }
}
