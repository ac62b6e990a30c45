using System.Globalization;
using System.Text;

namespace Evidence.Methods;

/// <summary>The sources of 50 services of 20 methods with 200 pairs of messages: each service has four pairs, and five methods for each.</summary>
internal static class MethodSources
{
    public const int Services = 50;
    public const int MethodsPerService = 20;
    public const int Pairs = 200;
    public const int Methods = Services * MethodsPerService;

    private const int PairsPerService = Pairs / Services;

    private const string Usings = """
        using System;
        using System.Collections.Generic;
        using System.Runtime.Serialization;
        using System.Threading.Tasks;
        using Evidence.Methods;
        using Mux;

        namespace Many;


        """;

    private const string Pair = """
        [DataContract]
        public sealed class Request@
        {
            [DataMember(Order = 1)] public int Number { get; set; }
            [DataMember(Order = 2)] public double Time { get; set; }
        }

        [DataContract]
        public sealed class Reply@
        {
            [DataMember(Order = 1)] public int Number { get; set; }
            [DataMember(Order = 2)] public double Time { get; set; }
            [DataMember(Order = 3)] public string? Name { get; set; }
            [DataMember(Order = 4)] public string? Place { get; set; }
            [DataMember(Order = 5)] public long Total { get; set; }
        }


        """;

    /// <summary>All files of the assembly.</summary>
    public static IEnumerable<string> Files()
    {
        for (int service = 0; service < Services; service++) yield return ServiceOf(service);
        yield return SetOfAll();
    }

    private static string ServiceOf(int service)
    {
        var (pairs, contract, implementation) = (new StringBuilder(), new StringBuilder(), new StringBuilder());
        for (int pair = 0; pair < PairsPerService; pair++) pairs.Append(Pair.Replace("@", Text(service * PairsPerService + pair), StringComparison.Ordinal));
        for (int method = 0; method < MethodsPerService; method++)
        {
            var pair = Text(PairOf(service, method));
            contract.AppendLine(CultureInfo.InvariantCulture, $"    ValueTask<Reply{pair}> Method{method}(Request{pair} request);");
            implementation.AppendLine(CultureInfo.InvariantCulture, $"    public ValueTask<Reply{pair}> Method{method}(Request{pair} request) => new(new Reply{pair} {{ Number = request.Number, Time = request.Time, Name = \"Method{method}\", Place = \"Oslo\", Total = {method} }});");
        }

        return $"{Usings}{pairs}[MuxService(\"many.Service{service}\")]\npublic interface IService{service}\n{{\n{contract}}}\n\npublic sealed class Service{service} : IService{service}\n{{\n{implementation}}}\n";
    }

    private static string SetOfAll()
    {
        var (adding, calls, parts) = (new StringBuilder(), new StringBuilder(), new StringBuilder());
        for (int service = 0; service < Services; service++)
        {
            adding.AppendLine(CultureInfo.InvariantCulture, $"        server.AddService<IService{service}>(new Service{service}());");
            calls.AppendLine(CultureInfo.InvariantCulture, $"        Add{service}(calls, channel.CreateProxy<IService{service}>());");
            parts.AppendLine(CultureInfo.InvariantCulture, $"    private static void Add{service}(List<MethodCall> calls, IService{service} service)\n    {{");
            for (int pair = 0; pair < PairsPerService; pair++)
            {
                parts.AppendLine(CultureInfo.InvariantCulture, $"        Func<Reply{PairOf(service, pair)}, int> number{pair} = static reply => reply.Number;");
            }

            for (int method = 0; method < MethodsPerService; method++)
            {
                var pair = Text(PairOf(service, method));
                parts.AppendLine(CultureInfo.InvariantCulture, $"        calls.Add(new MethodCall<Reply{pair}>(number => service.Method{method}(new Request{pair} {{ Number = number, Time = number }}), number{method % PairsPerService}));");
            }

            parts.AppendLine("    }\n");
        }

        return $$"""
            {{Usings}}public sealed class Methods : MethodSet
            {
                public override void AddServices(MuxServer server)
                {
            {{adding}}    }

                public override MethodCall[] CreateCalls(MuxChannel channel)
                {
                    var calls = new List<MethodCall>();
            {{calls}}        return calls.ToArray();
                }

            {{parts}}}
            """;
    }

    private static int PairOf(int service, int method) => service * PairsPerService + method % PairsPerService;

    private static string Text(int number) => number.ToString(CultureInfo.InvariantCulture);
}
