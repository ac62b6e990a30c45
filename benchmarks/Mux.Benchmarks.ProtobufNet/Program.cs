using Mux.Benchmarks.Codec.Table;
using Mux.Benchmarks.ProtobufNet;

// dotnet run -c Release --project benchmarks/Mux.Benchmarks.ProtobufNet -- table: the table of codecs in benchmarks/README.md
// dotnet run -c Release --project benchmarks/Mux.Benchmarks.ProtobufNet -- turns: every library of the table in turns with the hand-written codec
CodecCases.Add(ProtobufNetCases.All);
if (args is ["turns"]) TableReport.PrintTurns(Console.Out);
else TableReport.Print(Console.Out);
