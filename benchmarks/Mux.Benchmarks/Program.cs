using BenchmarkDotNet.Running;

// dotnet run -c Release --project benchmarks/Mux.Benchmarks -- --filter '*'
BenchmarkSwitcher.FromAssembly(typeof(Program).Assembly).Run(args);
