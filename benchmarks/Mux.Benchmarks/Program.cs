using BenchmarkDotNet.Running;
using Mux.Benchmarks.Codec;

// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- --filter '*'
// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- codec: the reference codec (A) and the generated one (B) in turns
if (args is ["codec"]) PairedRuns.Print(HandWrittenLoops.All, GeneratedLoops.All, Console.Out);
else BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
