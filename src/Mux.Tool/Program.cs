using Mux.Tool.Commands;

ClosedOutput.Watch();
ErrorOutput.Install();
return ClosedOutput.ExitCodeAfter(await CommandLine.RunAsync(args, Console.Out, Console.Error).ConfigureAwait(false));
