namespace Mux.Generators.Tests.Fixes;

/// <summary>Every fix, and what it does where it is not at its simplest.</summary>
internal static class FixCases
{
    private const string Number = "Number it with the next free field number";
    private const string Always = "Write it always (IsRequired = true)";

    public static IEnumerable<FixCase> All =>
    [
        new("MUX0011", "overloads", "Name it 'FindByName' with [MuxMethod]",
            """
            [MuxService("s")]
            public interface IService
            {
                ValueTask Find(int id);
                ValueTask Find(string name, CancellationToken cancellationToken = default);
            }
            """,
            """
            [MuxService("s")]
            public interface IService
            {
                ValueTask Find(int id);
                [MuxMethod("FindByName")]
                ValueTask Find(string name, CancellationToken cancellationToken = default);
            }
            """),
        new("MUX0011", "a taken name, and an attribute", "Name it 'Find2' with [MuxMethod]",
            """
            [MuxService("s")]
            public interface IService
            {
                ValueTask Find(int id);
                ValueTask FindByName();
                /// <summary>Documented.</summary>
                [MuxMethod(OneWay = true)] ValueTask Find(string name);
            }
            """,
            """
            [MuxService("s")]
            public interface IService
            {
                ValueTask Find(int id);
                ValueTask FindByName();
                /// <summary>Documented.</summary>
                [MuxMethod("Find2", OneWay = true)] ValueTask Find(string name);
            }
            """),

        new("MUX0018", "zero", Number,
            "[ProtoContract] public class Item { [ProtoMember(0)] public int Id { get; set; } } " + Contract,
            "[ProtoContract] public class Item { [ProtoMember(1)] public int Id { get; set; } } " + Contract),
        new("MUX0018", "too large", Number,
            "[ProtoContract] public class Item { [ProtoMember(3)] public int A; [ProtoMember(536870912)] public int B; [ProtoMember(18999)] public int C; } " + Contract,
            "[ProtoContract] public class Item { [ProtoMember(3)] public int A; [ProtoMember(20000)] public int B; [ProtoMember(18999)] public int C; } " + Contract),
        new("MUX0019", "a second one", Number,
            "[ProtoContract, ProtoReserved(5, 6)] public class Item { [ProtoMember(2)] public int A { get; set; } [ProtoMember(4)] public int B; [ProtoMember(2, IsRequired = true)] public int C { get; set; } } " + Contract,
            "[ProtoContract, ProtoReserved(5, 6)] public class Item { [ProtoMember(2)] public int A { get; set; } [ProtoMember(4)] public int B; [ProtoMember(7, IsRequired = true)] public int C { get; set; } } " + Contract),
        new("MUX0019", "in a positional record", Number,
            "[DataContract] public record Item([property: DataMember(Order = 1)] int A, [property: DataMember(Order = 1)] int B); " + Contract,
            "[DataContract] public record Item([property: DataMember(Order = 1)] int A, [property: DataMember(Order = 2)] int B); " + Contract),
        new("MUX0027", "no order", Number,
            "[DataContract] public class Item { [DataMember(Order = 3)] public int A { get; set; } [DataMember] public int B { get; set; } } " + Contract,
            "[DataContract] public class Item { [DataMember(Order = 3)] public int A { get; set; } [DataMember(Order = 4)] public int B { get; set; } } " + Contract),
        new("MUX0028", "nothing numbered", "Number all public members",
            """
            [DataContract]
            public class Item
            {
                /// <summary>Documented.</summary>
                public int A { get; set; }

                public string? B;

                public int Sum => A;
            }

            """ + Contract,
            """
            [DataContract]
            public class Item
            {
                /// <summary>Documented.</summary>
                [DataMember(Order = 1)]
                public int A { get; set; }

                [DataMember(Order = 2)]
                public string? B;

                public int Sum => A;
            }

            """ + Contract),

        new("MUX0048", "no parameters", "Add 'CancellationToken cancellationToken = default'",
            "[MuxService(\"s\")] public interface IService { ValueTask Do(); }",
            "[MuxService(\"s\")] public interface IService { ValueTask Do(CancellationToken cancellationToken = default); }"),
        new("MUX0048", "options", "Add 'CancellationToken cancellationToken = default'",
            "[MuxService(\"s\")] public interface IService { ValueTask Do(int id, MuxCallOptions? options = null); }",
            "[MuxService(\"s\")] public interface IService { ValueTask Do(int id, MuxCallOptions? options = null, CancellationToken cancellationToken = default); }"),

        Await("a result", "int x = service.Get(1).Result;", "int x = await service.Get(1);"),
        Await("inside an expression", "int x = service.Get(1).GetAwaiter().GetResult().CompareTo(2) + 1;", "int x = (await service.Get(1)).CompareTo(2) + 1;"),
        Await("a task of a task", "service.Get(1).AsTask().Wait();", "await service.Get(1).AsTask();"),

        Preset("an initializer", Always, "[DataMember(Order = 1)] public int Id { get; set; } = 5;", "[DataMember(Order = 1, IsRequired = true)] public int Id { get; set; } = 5;"),
        Preset("a constructor", Always, "public Item() { Id = 5; } [DataMember(Order = 1)] public int Id;", "public Item() { Id = 5; } [DataMember(Order = 1, IsRequired = true)] public int Id;"),
        Preset("what is not a constant", Always, "[DataMember(Order = 1)] public int Id = System.Environment.ProcessId;", "[DataMember(Order = 1, IsRequired = true)] public int Id = System.Environment.ProcessId;"),
        Preset("another default", "Leave out 6 instead ([DefaultValue(6)])", "[DataMember(Order = 1), DefaultValue(5)] public int Id { get; set; } = 6;", "[DataMember(Order = 1), DefaultValue(6)] public int Id { get; set; } = 6;"),
        Preset("a decimal", "Leave out \"1.5\" instead ([DefaultValue(\"1.5\")])", "[DataMember(Order = 1), DefaultValue(\"1\")] public decimal Id { get; set; } = 1.5m;", "[DataMember(Order = 1), DefaultValue(\"1.5\")] public decimal Id { get; set; } = 1.5m;"),
        new("MUX0050", "an initializer", "Leave out 5 instead ([DefaultValue(5)])",
            """
            [DataContract]
            public class Item
            {
                [DataMember(Order = 1)]
                public int Id { get; set; } = 5;
            }
            """,
            """
            [DataContract]
            public class Item
            {
                [DefaultValue(5)]
                [DataMember(Order = 1)]
                public int Id { get; set; } = 5;
            }
            """),

        new("MUX0051", "a proxy", "Mark 'IDirectory' with [MuxService(\"Hr.Directory\")]",
            Driver.AnalyzerMistakes.Channel +
            """

            namespace Hr
            {
                /// <summary>Documented.</summary>
                public interface IDirectory { ValueTask Get(CancellationToken cancellationToken); }

                public class C { void M(MuxChannel channel) => channel.CreateProxy<IDirectory>(); }
            }
            """,
            Driver.AnalyzerMistakes.Channel +
            """

            namespace Hr
            {
                /// <summary>Documented.</summary>
                [MuxService("Hr.Directory")]
                public interface IDirectory { ValueTask Get(CancellationToken cancellationToken); }

                public class C { void M(MuxChannel channel) => channel.CreateProxy<IDirectory>(); }
            }
            """),

        new("MUX0051", "an implementation", "Mark 'IOther' with [MuxService(\"Other\")]",
            Driver.AnalyzerMistakes.Channel + "public interface IOther { } public class C { void M(MuxServer server, IOther other) => server.AddService(other); }",
            Driver.AnalyzerMistakes.Channel.TrimEnd() + "\n[MuxService(\"Other\")]\npublic interface IOther { } public class C { void M(MuxServer server, IOther other) => server.AddService(other); }"),

        new("MUX0052", "a reserved number", Number,
            "[ProtoContract, ProtoReserved(2, 3)] public class Item { [ProtoMember(2)] public int Id; }",
            "[ProtoContract, ProtoReserved(2, 3)] public class Item { [ProtoMember(1)] public int Id; }"),
        new("MUX0053", "a member among others", Number,
            """
            [ProtoContract]
            public class Item
            {
                [ProtoMember(1)]
                public int A { get; set; }

                // Added later.
                public int B { get; set; }
            }
            """,
            """
            [ProtoContract]
            public class Item
            {
                [ProtoMember(1)]
                public int A { get; set; }

                // Added later.
                [ProtoMember(2)]
                public int B { get; set; }
            }
            """),
    ];

    private const string Contract = "[MuxService(\"s\")] public interface IService { ValueTask Send(Item item, CancellationToken token); }";

    private static FixCase Await(string what, string before, string after) =>
        new("MUX0049", what, "Await the call", Driver.AnalyzerMistakes.Calls + $"public class C {{ async Task M(IService service) {{ {before} await Task.Yield(); }} }}",
            Driver.AnalyzerMistakes.Calls + $"public class C {{ async Task M(IService service) {{ {after} await Task.Yield(); }} }}");

    private static FixCase Preset(string what, string title, string before, string after) =>
        new("MUX0050", what, title, $"[DataContract] public class Item {{ {before} }}", $"[DataContract] public class Item {{ {after} }}");
}
