using System.Collections.Immutable;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.Diagnostics;
using Microsoft.CodeAnalysis.Operations;
using Mux.Generators.Diagnostics;
using Mux.Generators.Symbols;

namespace Mux.Generators.Analysis;

/// <summary>Finds calls of contracts whose result is awaited by blocking the thread at the place of the call.</summary>
[DiagnosticAnalyzer(LanguageNames.CSharp)]
public sealed class BlockedCallAnalyzer : DiagnosticAnalyzer
{
    private const string TasksNamespace = "System.Threading.Tasks.";
    private const string CompilerServices = "System.Runtime.CompilerServices.";

    /// <inheritdoc/>
    public override ImmutableArray<DiagnosticDescriptor> SupportedDiagnostics { get; } = [AnalyzerDiagnostics.BlockedCall];

    /// <inheritdoc/>
    public override void Initialize(AnalysisContext context)
    {
        context.EnableConcurrentExecution();
        context.ConfigureGeneratedCodeAnalysis(GeneratedCodeAnalysisFlags.None);
        context.RegisterCompilationStartAction(static start =>
        {
            if (!start.Compilation.HasContracts()) return;
            start.RegisterOperationAction(AnalyzeProperty, OperationKind.PropertyReference);
            start.RegisterOperationAction(AnalyzeInvocation, OperationKind.Invocation);
        });
    }

    private static void AnalyzeProperty(OperationAnalysisContext context)
    {
        var reference = (IPropertyReferenceOperation)context.Operation;
        if (reference.Property.Name == "Result" && IsIn(reference.Property, TasksNamespace)) Report(context, CallOf(reference.Instance));
    }

    private static void AnalyzeInvocation(OperationAnalysisContext context)
    {
        var invocation = (IInvocationOperation)context.Operation;
        var method = invocation.TargetMethod;
        switch (method.Name)
        {
            case "Wait" when IsIn(method, TasksNamespace):
            case "GetResult" when IsIn(method, CompilerServices):
                Report(context, CallOf(invocation.Instance));
                break;
            case "ToBlockingEnumerable" when IsIn(method, TasksNamespace):
                Report(context, CallOf(invocation.Arguments[0].Value));
                break;
            case "WaitAll" or "WaitAny" when IsIn(method, TasksNamespace):
                Report(context, invocation.Arguments.SelectMany(static argument => Items(argument.Value)).Select(CallOf)
                    .FirstOrDefault(static call => call is not null));
                break;
        }
    }

    private static void Report(OperationAnalysisContext context, IMethodSymbol? called)
    {
        if (called is not null)
        {
            context.ReportDiagnostic(Diagnostic.Create(AnalyzerDiagnostics.BlockedCall, context.Operation.Syntax.GetLocation(), called.ToDisplay()));
        }
    }

    private static IEnumerable<IOperation?> Items(IOperation value) => value switch
    {
        IArrayCreationOperation { Initializer: { } initializer } => initializer.ElementValues,
        ICollectionExpressionOperation collection => collection.Elements,
        IConversionOperation conversion => Items(conversion.Operand),
        _ => [value],
    };

    // Looks through awaiters and other conversions between tasks.
    private static IMethodSymbol? CallOf(IOperation? operation)
    {
        while (true)
        {
            switch (operation)
            {
                case IConversionOperation conversion:
                    operation = conversion.Operand;
                    break;
                case IInvocationOperation { TargetMethod: { Name: "GetAwaiter" or "ConfigureAwait" or "AsTask" or "Preserve" } method } awaiter
                    when IsIn(method, TasksNamespace) || IsIn(method, CompilerServices):
                    operation = awaiter.Instance;
                    break;
                case IInvocationOperation call:
                    return IsContract(call.TargetMethod.ContainingType) || IsContract(TypeOf(call.Instance)) ? call.TargetMethod : null;
                default:
                    return null;
            }
        }
    }

    // An inherited method is called on the type that the receiver is converted to.
    private static ITypeSymbol? TypeOf(IOperation? instance) =>
        instance is IConversionOperation { IsImplicit: true } conversion ? conversion.Operand.Type : instance?.Type;

    private static bool IsContract(ITypeSymbol? type) => type is { TypeKind: TypeKind.Interface } && type.HasAttribute(WellKnownNames.MuxService);

    private static bool IsIn(ISymbol member, string space) => member.ContainingType.ToFullName().StartsWith(space, StringComparison.Ordinal);
}
